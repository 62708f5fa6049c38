import { PathExt } from '@jupyterlab/coreutils';
import type * as nbformat from '@jupyterlab/nbformat';
import type { Contents } from '@jupyterlab/services';

import type { Notebook } from '../../api/types';

/**
 * Return a notebook's content with the sources of an iteration.
 *
 * A cell retains its metadata; it retains its outputs only if its source is
 * unchanged.
 *
 * @param content - The document's content.
 * @param sources - The iteration's cells.
 * @param places - Id in the document by id in the iteration.
 */
export function withSources(
  content: nbformat.INotebookContent,
  sources: Notebook,
  places: ReadonlyMap<string, string>
): nbformat.INotebookContent {
  const known = new Map(content.cells.map(cell => [cell.id, cell]));
  const cells = sources.cells.map((cell): nbformat.ICell => {
    const id = places.get(cell.id) ?? cell.id;
    const mine = known.get(id);
    if (mine && joined(mine.source) === cell.source) {
      return { ...mine, id };
    }
    const fresh: nbformat.ICell = {
      id,
      cell_type: cell.type,
      metadata: mine?.metadata ?? {},
      source: cell.source
    };
    return cell.type === 'code'
      ? { ...fresh, execution_count: null, outputs: [] }
      : fresh;
  });
  const minor = Math.max(content.nbformat_minor, 5);
  return { ...content, nbformat_minor: minor, cells };
}

/** Return an unused path in a notebook's folder. */
export async function freePath(
  contents: Contents.IManager,
  path: string
): Promise<string> {
  const extension = PathExt.extname(path);
  const stem = path.slice(0, path.length - extension.length);
  const { content } = await contents.get(PathExt.dirname(path));
  const taken = new Set((content as Contents.IModel[]).map(item => item.name));
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : `-${number}`;
    const candidate = `${stem}-modernized${suffix}${extension}`;
    if (!taken.has(PathExt.basename(candidate))) {
      return candidate;
    }
  }
}

function joined(source: nbformat.MultilineString): string {
  return Array.isArray(source) ? source.join('') : source;
}
