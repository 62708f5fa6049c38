import { Dialog, Notification, showDialog } from '@jupyterlab/apputils';
import { PathExt } from '@jupyterlab/coreutils';
import { UUID } from '@lumino/coreutils';
import type { Kernel, Session } from '@jupyterlab/services';
import type { TranslationBundle } from '@jupyterlab/translation';

import type { Cell } from '../api/types';
import type { Modernization } from '../review/modernization';
import { toNotebook } from '../session/document/document';
import type { IFinishOptions } from './finish';
import { dataLink, dataPaths, type IDataLink } from './paths';

/** Outcome of a check: the first cell that failed, from 1, and its error. */
interface IFailure {
  ordinal: number;
  error: string;
}

/**
 * Run the cells in a new kernel of the kind that JupyterLab has for the
 * notebook, except those tagged `skip-execution`. The notebook, its outputs and
 * its own kernel stay as they are.
 */
export async function checkHere(
  options: Omit<IFinishOptions, 'client'>
): Promise<void> {
  const { app, model, panel, trans } = options;
  const { sessionContext } = panel.context;
  await sessionContext.ready;
  const name =
    sessionContext.session?.kernel?.name ??
    sessionContext.kernelPreference.name;
  const id = Notification.emit(
    trans.__('Starting a kernel to check the notebook…'),
    'in-progress',
    { autoClose: false }
  );
  let session: Session.ISessionConnection | null = null;
  let isCancelled = false;
  try {
    // A path of its own in the notebook's folder: the code finds its files there.
    const path = PathExt.join(
      PathExt.dirname(panel.context.localPath),
      `.check-${UUID.uuid4()}.ipynb`
    );
    session = await app.serviceManager.sessions.startNew({
      name: path,
      path,
      type: 'notebook',
      kernel: { name: name ?? '' }
    });
    const { kernel } = session;
    if (!kernel || !(await hasData(kernel, model, trans))) {
      Notification.dismiss(id);
      return;
    }
    const cells = toNotebook(model.document).cells.filter(
      cell => cell.type === 'code'
    );
    const cancel = {
      label: trans.__('Cancel'),
      callback: (event: MouseEvent) => {
        event.preventDefault();
        isCancelled = true;
        void kernel.interrupt();
      }
    };
    const failure = await runCells(kernel, cells, ordinal => {
      if (!isCancelled) {
        Notification.update({
          id,
          message: trans.__(
            'Checking in a kernel of its own: cell %1 of %2',
            ordinal,
            cells.length
          ),
          actions: [cancel]
        });
      }
      return !isCancelled;
    });
    Notification.dismiss(id);
    const place = failure && model.places.nameAt(failure.ordinal);
    tell(failure, place ?? '?', isCancelled, trans);
  } catch (error) {
    Notification.dismiss(id);
    throw error;
  } finally {
    await session?.shutdown().catch(() => undefined);
  }
}

function tell(
  failure: IFailure | null,
  place: string,
  isCancelled: boolean,
  trans: TranslationBundle
): void {
  if (isCancelled) {
    Notification.info(trans.__('Check cancelled. The notebook is unchanged.'), {
      autoClose: 4000
    });
  } else if (failure === null) {
    Notification.success(
      trans.__(
        'Every cell also runs in JupyterLab’s kernel. The notebook is unchanged.'
      ),
      { autoClose: 8000 }
    );
  } else {
    Notification.warning(
      trans.__(
        'Cell %1 fails in JupyterLab’s kernel: %2. The notebook is unchanged. Its kernel has other packages than the sandbox, or does not find the data.',
        place,
        failure.error
      ),
      { autoClose: 20000 }
    );
  }
}

/**
 * Run code cells one after the other until one fails.
 *
 * @param onCell - Called before each cell; returns whether to go on.
 */
async function runCells(
  kernel: Kernel.IKernelConnection,
  cells: readonly Cell[],
  onCell: (ordinal: number) => boolean
): Promise<IFailure | null> {
  for (const [index, { source, tags }] of cells.entries()) {
    if (!onCell(index + 1)) {
      return null;
    }
    if (tags.includes('skip-execution') || source.trim() === '') {
      continue;
    }
    const { content } = await kernel.requestExecute({
      code: source,
      allow_stdin: false,
      stop_on_error: true,
      store_history: true
    }).done;
    if (content.status === 'ok' || tags.includes('raises-exception')) {
      continue;
    }
    const error =
      content.status === 'error'
        ? `${content.ename}: ${content.evalue}`.split('\n')[0].slice(0, 200)
        : content.status;
    return { ordinal: index + 1, error };
  }
  return null;
}

/** Return whether the data are at the paths in the code, after a question. */
async function hasData(
  kernel: Kernel.IKernelConnection,
  model: Modernization,
  trans: TranslationBundle
): Promise<boolean> {
  const missing = await missingPaths(
    kernel,
    dataPaths(toNotebook(model.document))
  );
  if (missing.length === 0) {
    return true;
  }
  const competition = competitionOf(model);
  const isLinkable = competition !== null;
  const { button } = await showDialog({
    title: trans.__('The data are not there'),
    body: trans.__(
      'JupyterLab’s kernel does not find %1: only the sandbox provides the data there.',
      missing.slice(0, 3).join(', ')
    ),
    buttons: [
      Dialog.cancelButton(),
      isLinkable
        ? Dialog.okButton({
            label: trans.__('Link the data here'),
            caption: trans.__(
              'Make a link to the competition’s data, then check'
            )
          })
        : Dialog.okButton({ label: trans.__('Check without them') })
    ],
    defaultButton: 0
  });
  if (!button.accept || !isLinkable) {
    return button.accept;
  }
  const link = dataLink(missing[0], competition, model.info);
  const problem = await makeLink(kernel, link);
  if (problem === '') {
    return true;
  }
  await showDialog({
    title: trans.__('The data cannot be linked'),
    body: trans.__(
      'No link from %1 to %2 could be made: %3',
      link.place,
      link.data,
      problem
    ),
    buttons: [Dialog.cancelButton({ label: trans.__('Close') })]
  });
  return false;
}

/** Return the competition whose data the notebook reads; null if unknown. */
function competitionOf(model: Modernization): string | null {
  const finished = model.finished?.provenance.competition ?? null;
  const known = model.info.competitions.some(({ id }) => id === finished);
  return model.session?.settings.competition ?? (known ? finished : null);
}

/** Return the paths that do not exist for a kernel in its working directory. */
async function missingPaths(
  kernel: Kernel.IKernelConnection,
  paths: readonly string[]
): Promise<string[]> {
  if (paths.length === 0) {
    return [];
  }
  const names = JSON.stringify(paths);
  const answer = await evaluate(
    kernel,
    '',
    `''.join('01'[__import__('os').path.exists(p)] for p in ${names})`
  );
  const [, found] = /'([01]+)'/.exec(answer) ?? [];
  return found === undefined ? [] : paths.filter((_, at) => found[at] === '0');
}

/** Make a link to data; return the reason if that fails, else an empty text. */
async function makeLink(
  kernel: Kernel.IKernelConnection,
  { data, place }: IDataLink
): Promise<string> {
  const code = [
    'import os as _os',
    '_problem = ""',
    'try:',
    `    _os.makedirs(_os.path.dirname(${JSON.stringify(place)}), exist_ok=True)`,
    `    _os.symlink(${JSON.stringify(data)}, ${JSON.stringify(place)}, target_is_directory=True)`,
    'except OSError as _error:',
    '    _problem = str(_error)'
  ].join('\n');
  const answer = await evaluate(kernel, code, '_problem');
  const text = /"text\/plain":"(.*?)"\}/.exec(answer)?.[1] ?? answer;
  return text === "''" ? '' : text;
}

/** Run code silently; return the JSON text of an expression's result. */
async function evaluate(
  kernel: Kernel.IKernelConnection,
  code: string,
  expression: string
): Promise<string> {
  const { content } = await kernel.requestExecute({
    code,
    silent: true,
    store_history: false,
    user_expressions: { result: expression }
  }).done;
  return content.status === 'ok'
    ? JSON.stringify(content.user_expressions)
    : JSON.stringify(content);
}
