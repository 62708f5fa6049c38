import {
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';

/**
 * The panel beside the notebook.
 */
const panel: JupyterFrontEndPlugin<void> = {
  id: 'mle-modernizer:panel',
  description: 'Shows the modernization of the active notebook.',
  autoStart: true,
  activate: (app: JupyterFrontEnd): void => {
    app.started.catch(() => undefined);
  }
};

export default [panel];
