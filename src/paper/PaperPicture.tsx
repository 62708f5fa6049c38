import * as React from 'react';

import type { ModernizerClient } from '../api/client';
import type { PagePicture } from '../api/types';
import { Button } from '../ui/Button';
import { useTrans } from '../ui/context';
import { useAnswer } from '../ui/useAnswer';

/**
 * A place on a page to look at.
 */
export interface IPageView {
  /** The page, counted from 1. */
  page: number;
  /** Marked text; empty if nothing is marked. */
  mark: string;
}

/** Properties of the picture of a page. */
export interface IPictureProps {
  /** The paper's file. */
  path: string;
  /** The server part's routes. */
  client: Pick<ModernizerClient, 'paperPage'>;
  /** Number of pages. */
  pages: number;
  /** Page and mark. */
  view: IPageView;
  /** Shows another page. */
  turn: (view: IPageView) => void;
}

/**
 * A page of a PDF as printed, with the extracted number marked: the user
 * confirms values against the page.
 */
export function PaperPicture(props: IPictureProps): JSX.Element {
  const trans = useTrans();
  const { client, pages, path, turn, view } = props;
  const { mark, page } = view;
  const question = `${path}\n${page}\n${mark}`;
  const { isPending, problem, value } = useAnswer<PagePicture>(question, () =>
    client.paperPage({ path, page, mark })
  );
  const node = React.useRef<HTMLDivElement>(null);
  const shown = value?.page === page ? value : null;
  React.useEffect(() => {
    node.current
      ?.querySelector('.jp-mle-Page-mark')
      ?.scrollIntoView({ block: 'center', inline: 'center' });
  }, [shown]);
  const name = trans.__('Page %1 of %2', page, pages);
  return (
    <div
      className="jp-mle-Page"
      role="group"
      aria-label={name}
      aria-busy={isPending}
    >
      <div className="jp-mle-Actions">
        <Button
          label={trans.__('Previous page')}
          isEnabled={page > 1}
          onClick={() => turn({ page: page - 1, mark })}
        />
        <Button
          label={trans.__('Next page')}
          isEnabled={page < pages}
          onClick={() => turn({ page: page + 1, mark })}
        />
        <span className="jp-mle-Hint" role="status">
          {name}
        </span>
      </div>
      {problem && (
        <p className="jp-mle-Note jp-mod-bad" role="alert">
          {problem}
        </p>
      )}
      {shown && (
        <div ref={node} className="jp-mle-Page-picture">
          <img
            src={`data:image/png;base64,${shown.png}`}
            alt={name}
            width={shown.width}
            height={shown.height}
          />
          {shown.marks.map(({ bottom, left, right, top }, index) => (
            <span
              key={index}
              className="jp-mle-Page-mark"
              style={{
                left: `${100 * left}%`,
                top: `${100 * top}%`,
                width: `${100 * (right - left)}%`,
                height: `${100 * (bottom - top)}%`
              }}
            />
          ))}
        </div>
      )}
      {shown && mark && shown.marks.length === 0 && (
        <p className="jp-mle-Hint">
          {trans.__('“%1” was not found as text on this page.', mark)}
        </p>
      )}
    </div>
  );
}
