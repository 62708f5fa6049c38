import type { ILayoutRestorer, JupyterFrontEnd } from '@jupyterlab/application';
import {
  MainAreaWidget,
  ReactWidget,
  WidgetTracker
} from '@jupyterlab/apputils';
import * as React from 'react';

import { type IPanelContext, PanelContext } from './context';
import { modernizeIcon } from './icons';

/** A page in a tab of the main area. */
export interface ITabPage {
  /** Label of the tab; omitted if it is the file's name. */
  label?: string;
  /** The page. */
  page: JSX.Element;
  /** Class in addition to that of every page. */
  className?: string;
}

/** A kind of tab: at most one for each path. */
export interface ITabKind {
  /** Name of its tracker, and beginning of the tabs' ids. */
  namespace: string;
  /** Command that opens it. */
  command: string;
  /** Context of its pages; commands are the application's, if not given. */
  context: Partial<IPanelContext> & Pick<IPanelContext, 'trans'>;
  /** Makes a page when it is first needed. */
  make: (path: string) => Promise<ITabPage>;
}

/**
 * Return a function that shows the tab of a path; without one, the only tab of
 * its kind. The layout restorer opens the tabs again.
 */
export function tabOpener(
  { commands, shell }: Pick<JupyterFrontEnd, 'commands' | 'shell'>,
  restorer: ILayoutRestorer | null,
  kind: ITabKind
): (path?: string) => Promise<void> {
  const { command, make, namespace } = kind;
  const context: IPanelContext = {
    languages: null,
    execute: (id, args) => void commands.execute(id, args),
    ...kind.context
  };
  const tracker = new WidgetTracker<MainAreaWidget>({ namespace });
  const idOf = (path: string) => (path ? `${namespace}-${path}` : namespace);
  const pathOf = ({ id }: MainAreaWidget) => id.slice(namespace.length + 1);
  if (restorer) {
    void restorer.restore(tracker, {
      command,
      args: tab => (pathOf(tab) ? { path: pathOf(tab) } : {}),
      name: ({ id }) => id
    });
  }
  const add = async (path: string) => {
    const { className, label, page } = await make(path);
    const content = ReactWidget.create(
      <PanelContext.Provider value={context}>{page}</PanelContext.Provider>
    );
    content.addClass('jp-mle-WideReview');
    if (className) {
      content.addClass(className);
    }
    content.title.icon = modernizeIcon;
    content.title.label = label ?? path.split('/').pop() ?? path;
    content.title.caption = path;
    content.title.closable = true;
    const tab = new MainAreaWidget({ content });
    tab.id = idOf(path);
    await tracker.add(tab);
    shell.add(tab, 'main');
  };
  const adding = new Map<string, Promise<void>>();
  return async (path = '') => {
    const id = idOf(path);
    if (!tracker.find(tab => tab.id === id)) {
      const added = adding.get(id) ?? add(path);
      adding.set(id, added);
      await added.finally(() => adding.delete(id));
    }
    shell.activateById(id);
  };
}
