import type { Notebook, ServerInfo } from '../api/types';

const DATA_PATH =
  /(["'])((?:\/kaggle\/input|(?:\.\.\/)+input)(?:\/[^"'\n]*)?)\1/g;
const MOST_PATHS = 50;

/** Return the paths of a competition's data in a notebook's code, each once. */
export function dataPaths(notebook: Notebook): string[] {
  const found = new Set<string>();
  for (const { source, tags, type } of notebook.cells) {
    const isRun = type === 'code' && !tags.includes('skip-execution');
    for (const [, , path] of isRun ? source.matchAll(DATA_PATH) : []) {
      // A name that is put together, or a pattern, is known up to there.
      const made = path.search(/[{*%?[]/);
      const known =
        made < 0 ? path : path.slice(0, path.lastIndexOf('/', made));
      found.add(known.replace(/\/$/, ''));
    }
  }
  return [...found].slice(0, MOST_PATHS);
}

/**
 * Return a command line that makes the data available at the code's path; run
 * it in the notebook's folder.
 *
 * @param path - A path in the code.
 * @param competition - The competition of the data.
 */
export function linkCommand(
  path: string,
  competition: string,
  info: Pick<ServerInfo, 'data_root'>
): string {
  const data = `${info.data_root.replace(/\/$/, '')}/${competition}/prepared/public`;
  const [root] = /^.*?input/.exec(path) ?? ['../input'];
  const isBelow = path === root || path.startsWith(`${root}/${competition}`);
  const place = isBelow ? `${root}/${competition}` : root;
  const parent = place.slice(0, place.lastIndexOf('/'));
  const sudo = root.startsWith('/') ? 'sudo ' : '';
  return `${sudo}mkdir -p ${quoted(parent)} && ${sudo}ln -s ${quoted(data)} ${quoted(place)}`;
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replace(/'/g, "'\\''")}'`;
}
