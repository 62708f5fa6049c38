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

/** A link that makes data available at a path of the code. */
export interface IDataLink {
  /** The directory of the data. */
  data: string;
  /** The link, absolute or relative to the notebook's folder. */
  place: string;
}

/**
 * Return the link that makes a competition's data available at the code's path.
 *
 * @param path - A path in the code.
 * @param competition - The competition of the data.
 */
export function dataLink(
  path: string,
  competition: string,
  info: Pick<ServerInfo, 'data_root'>
): IDataLink {
  const data = `${info.data_root.replace(/\/$/, '')}/${competition}/prepared/public`;
  const [root] = /^.*?input/.exec(path) ?? ['../input'];
  const isBelow = path === root || path.startsWith(`${root}/${competition}`);
  return { data, place: isBelow ? `${root}/${competition}` : root };
}
