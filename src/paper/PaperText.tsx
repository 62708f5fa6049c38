import * as React from 'react';

import type { Paper, PaperTable, Place, Section } from '../api/types';
import { useTrans } from '../ui/context';

/** A paper's text by sections, with its tables in place. */
export const PaperText = React.memo(function PaperText(props: {
  /** The paper. */
  paper: Paper;
  /** The place that is pointed at: it is marked, and scrolled to. */
  place: Place | null;
}): JSX.Element {
  const { paper, place } = props;
  const trans = useTrans();
  const node = React.useRef<HTMLDivElement>(null);
  React.useEffect(() => {
    const marked = node.current?.querySelector<HTMLElement>('.jp-mod-pointed');
    marked?.scrollIntoView({ block: 'center' });
  }, [place]);
  const tables = (section: number | null) =>
    paper.tables.map((table, index) =>
      table.section === section ? (
        <Table
          key={index}
          table={table}
          name={table.number || `${index + 1}`}
          row={place?.table === index ? (place.row ?? -1) : null}
        />
      ) : null
    );
  return (
    <div
      ref={node}
      className="jp-mle-Paper-text"
      role="region"
      aria-label={trans.__('Text of the paper')}
      tabIndex={0}
    >
      <h2>{paper.title || trans.__('(no title)')}</h2>
      {tables(null)}
      {paper.sections.map((section, index) => (
        <React.Fragment key={index}>
          <Part
            section={section}
            place={
              place?.section === index && place.table === null ? place : null
            }
          />
          {tables(index)}
        </React.Fragment>
      ))}
    </div>
  );
});

function Part(props: { section: Section; place: Place | null }): JSX.Element {
  const { section, place } = props;
  const Heading = section.level > 1 ? 'h4' : 'h3';
  const isWhole =
    place !== null && (place.start === null || place.end === null);
  let start = 0;
  const paragraphs = section.text.split('\n\n').map(text => {
    const at = start;
    start += text.length + 2;
    return { at, text };
  });
  return (
    <section className={isWhole ? 'jp-mod-pointed' : undefined}>
      <Heading>{`${section.number} ${section.title}`.trim()}</Heading>
      {paragraphs.map(({ at, text }) => (
        <Paragraph
          key={at}
          text={text}
          from={isWhole || !place ? null : (place.start ?? 0) - at}
          to={isWhole || !place ? null : (place.end ?? 0) - at}
        />
      ))}
    </section>
  );
}

/** A paragraph, with the characters of it that are pointed at marked. */
function Paragraph(props: {
  text: string;
  from: number | null;
  to: number | null;
}): JSX.Element {
  const { text } = props;
  const from = Math.max(0, props.from ?? 0);
  const to = Math.min(text.length, props.to ?? 0);
  if (to <= from) {
    return <p>{text}</p>;
  }
  return (
    <p>
      {text.slice(0, from)}
      <mark className="jp-mod-pointed">{text.slice(from, to)}</mark>
      {text.slice(to)}
    </p>
  );
}

function Table(props: {
  table: PaperTable;
  name: string;
  /**
   * The row to highlight, -1 for the whole table, null if it is another table.
   */
  row: number | null;
}): JSX.Element {
  const trans = useTrans();
  const { name, row, table } = props;
  const mark = (index: number) =>
    row === index ? 'jp-mod-pointed' : undefined;
  return (
    <div className="jp-mle-Paper-table">
      <table className={mark(-1)}>
        <caption>{trans.__('Table %1: %2', name, table.caption)}</caption>
        <tbody>
          {table.rows.map((cells, index) => (
            <tr key={index} className={mark(index)}>
              {cells.map((cell, column) =>
                index < table.header_rows ? (
                  <th key={column} scope="col">
                    {cell.text}
                  </th>
                ) : (
                  <td key={column}>
                    {cell.bold ? <strong>{cell.text}</strong> : cell.text}
                  </td>
                )
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
