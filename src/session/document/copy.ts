import { PathExt } from '@jupyterlab/coreutils';
import type * as nbformat from '@jupyterlab/nbformat';
import type { Contents } from '@jupyterlab/services';

import type { Notebook } from '../../api/types';

/**
 * A notebook's content with the sources of an iteration.
 *
 * A cell keeps its metadata; it keeps its outputs only where its source stays the same.
 *
 * @param content - The document as it is.
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

/**
 * A path beside a notebook at which there is no file yet.
 */
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
