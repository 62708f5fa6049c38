import * as React from 'react';

import { ApiError, type ModernizerClient } from '../api/client';
import type { Ancestor, Claim, PaperReading, Place } from '../api/types';
import { Button } from '../ui/Button';
import { Chip } from '../ui/Chip';
import { useTrans } from '../ui/context';
import { Section } from '../ui/Section';
import { useAnswer } from '../ui/useAnswer';
import {
  claimText,
  type MethodItem,
  placeText,
  statementText,
  takenText
} from '../words/papers';
import { CompleteByModel } from './CompleteByModel';
import { LineageGraph } from './LineageGraph';
import { type IPageView, PaperPicture } from './PaperPicture';
import { PaperText } from './PaperText';
import { labelOf } from '../words/message';

const MOST_CHOSEN = 50; // claims of one notebook, as the server takes them
const MOST_SHOWN = 200; // claims in the list

/** Options of the page of a paper. */
export interface IPaperOptions {
  /** The paper's file, as the file browser names it. */
  path: string;
  /** The server part's routes. */
  client: Pick<
    ModernizerClient,
    | 'readPaper'
    | 'paperPage'
    | 'makeReproduction'
    | 'claimsQuestion'
    | 'completeClaims'
  >;
  /** Opens a notebook. */
  open: (path: string) => void;
}

/**
 * A paper: its text on the left; its claims, and the requirements of its
 * method, on the right.
 */
export function PaperPage(props: IPaperOptions): JSX.Element {
  const trans = useTrans();
  const { client, path } = props;
  const { isPending, problem, value } = useAnswer<PaperReading>(path, () =>
    client.readPaper({ path })
  );
  const [completed, complete] = React.useState<PaperReading | null>(null);
  const reading = completed ?? value;
  return (
    <div className="jp-mle-Paper" aria-busy={isPending}>
      {problem && (
        <p className="jp-mle-Note jp-mod-bad" role="alert">
          {problem}
        </p>
      )}
      {!value && isPending && (
        <p className="jp-mle-Hint" role="status">
          {trans.__('Reading the paper…')}
        </p>
      )}
      {reading && <Read {...props} reading={reading} complete={complete} />}
    </div>
  );
}

interface IReadProps extends IPaperOptions {
  /** The paper's contents. */
  reading: PaperReading;
  /** Takes the paper with the claims that a model added. */
  complete: (reading: PaperReading) => void;
}

function Read(props: IReadProps): JSX.Element {
  const trans = useTrans();
  const { checklist, claims, lineage, paper } = props.reading;
  const [place, point] = React.useState<Place | null>(null);
  // A new object each time, so that a second click on a place scrolls to it again.
  const show = React.useCallback((to: Place) => {
    point({ ...to });
    view(null);
  }, []);
  const [pictured, view] = React.useState<IPageView | null>(null);
  // A number that was read from a page's layout is confirmed next to the page.
  const showClaim = (claim: Claim) => {
    point({ ...claim.place });
    const { page } = claim.place;
    const isPrinted = paper.format === 'pdf' && page !== null;
    view(isPrinted ? { page, mark: claim.printed } : null);
  };
  const missing = checklist.filter(item => item.statement === 'not_stated');
  return (
    <>
      <div className="jp-mle-Paper-left">
        {paper.format === 'pdf' && (
          <div className="jp-mle-Actions">
            <Button
              look="link"
              label={
                pictured
                  ? trans.__('Show the text')
                  : trans.__('Show the pages')
              }
              caption={trans.__(
                'Change between the text that was read and the pages as they are printed'
              )}
              onClick={() => view(pictured ? null : { page: 1, mark: '' })}
            />
          </div>
        )}
        {pictured ? (
          <PaperPicture
            path={props.path}
            client={props.client}
            pages={paper.pages ?? 1}
            view={pictured}
            turn={view}
          />
        ) : (
          <PaperText paper={paper} place={place} />
        )}
      </div>
      <div
        className="jp-mle-Paper-facts"
        role="region"
        aria-label={trans.__('Claims and method')}
        tabIndex={0}
      >
        {paper.remarks.map((remark, index) => (
          <p key={index} className="jp-mle-Note jp-mod-fair">
            {labelOf('paper-remark', remark.code, trans, {
              parameter: remark.parameter
            })}
          </p>
        ))}
        <Claims {...props} claims={ranked(claims)} show={showClaim} />
        <Section
          title={trans.__('Method')}
          badge={
            <span className="jp-mle-Hint">
              {trans.__(
                '%1 of %2 not stated',
                missing.length,
                checklist.length
              )}
            </span>
          }
        >
          <ul className="jp-mle-Paper-list">
            {checklist.map(item => (
              <Requirement
                key={item.name}
                item={item}
                reading={props.reading}
                show={show}
              />
            ))}
          </ul>
        </Section>
        {lineage.length > 0 && (
          <Section title={trans.__('Builds on')} badge={`${lineage.length}`}>
            <LineageGraph title={paper.title} lineage={lineage} />
            <ul className="jp-mle-Paper-list">
              {lineage.map(item => (
                <CitedWork
                  key={item.key}
                  item={item}
                  reading={props.reading}
                  show={show}
                />
              ))}
            </ul>
          </Section>
        )}
      </div>
    </>
  );
}

/**
 * A work that the paper builds on: its source, and the values taken from it.
 */
function CitedWork(props: {
  item: Ancestor;
  reading: PaperReading;
  show: (place: Place) => void;
}): JSX.Element {
  const trans = useTrans();
  const { item, reading, show } = props;
  const mention = item.mentions[0];
  return (
    <li>
      <div>
        <strong>{item.text}</strong>
        {mention && <blockquote>{mention.quote}</blockquote>}
        {item.sources.map(source => (
          <p key={`${source.kind} ${source.name}`} className="jp-mle-Hint">
            {labelOf('cited-source', source.kind, trans, {
              name: source.name,
              version: source.version
            })}
          </p>
        ))}
        {item.taken.map(taken => (
          <p key={taken.requirement}>
            {takenText(taken, trans)} <strong>{taken.value}</strong>
          </p>
        ))}
        {item.sources.length === 0 && (
          <p className="jp-mle-Hint">
            {trans.__(
              'Not found: put it into the folder “cited” beside the paper. %1',
              item.address
            )}
          </p>
        )}
      </div>
      {mention && (
        <Button
          look="link"
          label={placeText(mention.place, reading.paper, trans)}
          caption={trans.__('Show it in the paper')}
          onClick={() => show(mention.place)}
        />
      )}
    </li>
  );
}

/**
 * Sort the claims in the server's order: those of the paper's own method first,
 * tables first.
 */
function ranked(claims: readonly Claim[]): Claim[] {
  const rank = (claim: Claim) =>
    (claim.own ? 0 : 2) + (claim.source === 'sentence' ? 1 : 0);
  return [...claims].sort((one, other) => rank(one) - rank(other));
}

function Claims(
  props: IReadProps & {
    claims: Claim[];
    show: (claim: Claim) => void;
  }
): JSX.Element {
  const trans = useTrans();
  const { claims, client, open, path, reading, show } = props;
  const [chosen, choose] = React.useState<ReadonlySet<string>>(new Set());
  const [isMaking, setMaking] = React.useState(false);
  const [problem, setProblem] = React.useState<string | null>(null);
  const shown = claims.slice(0, MOST_SHOWN);
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) {
      next.add(id);
    }
    choose(next);
  };
  const make = async () => {
    setMaking(true);
    setProblem(null);
    try {
      const made = await client.makeReproduction({ path, claims: [...chosen] });
      open(made.path);
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : String(error));
    } finally {
      setMaking(false);
    }
  };
  return (
    <Section title={trans.__('Claims')} badge={`${claims.length}`} isFixed>
      <p className="jp-mle-Hint">
        {chosen.size > 0
          ? trans._n('%1 claim chosen', '%1 claims chosen', chosen.size)
          : trans.__(
              'Choose what to reproduce; otherwise the table with most results of the paper’s own method is used.'
            )}
      </p>
      <div className="jp-mle-Actions">
        <Button
          look="primary"
          label={trans.__('Make the notebook')}
          caption={trans.__(
            'Write a notebook beside the paper, with the assumptions, the sections and the claims'
          )}
          isEnabled={
            !isMaking && claims.length > 0 && chosen.size <= MOST_CHOSEN
          }
          onClick={() => void make()}
        />
      </div>
      {problem && (
        <p className="jp-mle-Note jp-mod-bad" role="alert">
          {problem}
        </p>
      )}
      <CompleteByModel {...props} />
      <ul className="jp-mle-Paper-list" aria-label={trans.__('Claims')}>
        {shown.map(claim => (
          <li key={claim.id}>
            <label>
              <input
                type="checkbox"
                checked={chosen.has(claim.id)}
                onChange={() => {
                  toggle(claim.id);
                  if (reading.paper.format === 'pdf' && !chosen.has(claim.id)) {
                    show(claim);
                  }
                }}
              />
              <span>
                <strong>{claim.printed}</strong> {claimText(claim, trans)}
                {claim.own && ` ${trans.__('(own)')}`}{' '}
                {claim.doubts.includes('from_model') && (
                  <Chip tone="fair">{trans.__('from the model')}</Chip>
                )}
              </span>
            </label>
            <Button
              look="link"
              label={placeText(claim.place, reading.paper, trans)}
              caption={trans.__('Show it in the paper')}
              onClick={() => show(claim)}
            />
          </li>
        ))}
      </ul>
      {claims.length > shown.length && (
        <p className="jp-mle-Hint">
          {trans.__('… and %1 more', claims.length - shown.length)}
        </p>
      )}
    </Section>
  );
}

function Requirement(props: {
  item: MethodItem;
  reading: PaperReading;
  show: (place: Place) => void;
}): JSX.Element {
  const trans = useTrans();
  const { item, reading, show } = props;
  const [word, tone] = statementText(item, trans);
  const place = item.evidence[0]?.place;
  const taken =
    item.statement === 'cited'
      ? reading.lineage
          .flatMap(work => work.taken)
          .find(one => one.requirement === item.name)
      : undefined;
  const value = taken?.value ?? item.value;
  return (
    <li>
      <span>
        {item.name.replaceAll('_', ' ')} <Chip tone={tone}>{word}</Chip>{' '}
        {value && <strong>{value}</strong>}{' '}
        {taken && `(${taken.source}, ${taken.where})`}
        {!value && item.assumption && trans.__('assumed: %1', item.assumption)}
      </span>
      {place && (
        <Button
          look="link"
          label={placeText(place, reading.paper, trans)}
          caption={item.evidence[0]?.quote}
          onClick={() => show(place)}
        />
      )}
    </li>
  );
}
