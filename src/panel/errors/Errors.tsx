import * as React from 'react';

import type { CellError, Finding } from '../../api/types';
import type { Modernization } from '../../review/modernization';
import { CellLink } from '../../review/CellLink';
import {
  currentIteration,
  foldFindings,
  type IRootError
} from '../../session/reading';
import { Chip } from '../../ui/Chip';
import { failedThen } from '../../session/document/traces';
import { useTrans, useValue } from '../../ui/context';
import { Fold } from '../../ui/Fold';
import { Link } from '../../ui/Link';
import { Prose } from '../../ui/Prose';
import { RehearsalDoubt, RehearsalNote } from './Rehearsal';
import { Section } from '../../ui/Section';
import { type IModelProps, useSession } from '../../review/useModel';
import { Traceback } from './Traceback';

/** Most root errors visible at once; if there are more, only the first is. */
const MOST_SHOWN = 2;

/** Most different errors of a run under way that are visible at once. */
const MOST_LIVE = 5;

/**
 * The errors of the run: root errors first with their consequences, harmless
 * ones last.
 */
export function Errors({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const session = useSession(model);
  const iteration = session && currentIteration(session);
  if (!session || !iteration) {
    return null;
  }
  const { diagnosis, execution } = iteration;
  if (!diagnosis) {
    return null;
  }
  const isWhole =
    diagnosis.execution_status !== 'timeout' &&
    execution?.ending === 'completed';
  const { roots, orphans, harmless } = foldFindings(diagnosis.findings);
  // During a review the list is short, so that the fix is near.
  const isReviewing = session.phase === 'reviewing';
  const grave = roots.length + orphans.length;
  const shown = roots.length > MOST_SHOWN ? 1 : roots.length;
  const rest = grave - shown;
  return (
    <Section
      title={
        iteration.kind === 'rehearsal'
          ? trans.__('Hints of a rehearsal')
          : trans.__('Errors')
      }
      badge={
        grave > 0 ? (
          <Chip tone="bad">
            {trans._n('%1 root error', '%1 root errors', grave)}
          </Chip>
        ) : isWhole ? (
          <Chip tone="good">{trans.__('none')}</Chip>
        ) : (
          <Chip tone="fair">{trans.__('none so far')}</Chip>
        )
      }
    >
      <RehearsalNote model={model} />
      {diagnosis.findings.length === 0 && (
        <p className="jp-mle-Hint">
          {isWhole
            ? trans.__('Every cell ran to completion.')
            : diagnosis.execution_status === 'timeout'
              ? trans.__('No cell failed before the time was up.')
              : trans.__('No cell failed before the run was cut off.')}
        </p>
      )}
      <ul className="jp-mle-Errors">
        {roots.slice(0, shown).map((item, index) => (
          <Root
            key={key(item.root)}
            model={model}
            item={item}
            isOpen={index === 0 && !isReviewing}
          />
        ))}
      </ul>
      {rest > 0 && (
        <Fold
          summary={trans._n('%1 more root error', '%1 more root errors', rest)}
        >
          <ul className="jp-mle-Errors">
            {roots.slice(shown).map(item => (
              <Root key={key(item.root)} model={model} item={item} />
            ))}
            <ErrorItems model={model} findings={orphans} />
          </ul>
        </Fold>
      )}
      {harmless.length > 0 && (
        <Fold
          className="jp-mle-Errors-harmless"
          summary={trans._n(
            '%1 harmless error: only displayed, or expected',
            '%1 harmless errors: only displayed, or expected',
            harmless.length
          )}
        >
          <ul className="jp-mle-Errors">
            <ErrorItems model={model} findings={harmless} />
          </ul>
        </Fold>
      )}
    </Section>
  );
}

/** Properties of a root error. */
interface IRootProps extends IModelProps {
  /** The error and its consequences. */
  item: IRootError;
  /** Whether its traceback is open at first. */
  isOpen?: boolean;
}

function Root({ isOpen, item, model }: IRootProps): JSX.Element {
  const trans = useTrans();
  const { cascades, root } = item;
  return (
    <li>
      <ErrorBody
        model={model}
        error={root.error}
        kind={root.kind}
        finding={root}
        isOpen={isOpen}
      />
      {cascades.length > 0 && (
        <Fold
          className="jp-mle-Errors-cascades"
          summary={trans._n(
            '%1 error follows from it',
            '%1 errors follow from it',
            cascades.length
          )}
        >
          <ul className="jp-mle-Errors">
            <ErrorItems model={model} findings={cascades} />
          </ul>
        </Fold>
      )}
    </li>
  );
}

/** The errors of a run that is under way. */
export function LiveErrors({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const session = useSession(model);
  const errors = session?.progress?.errors ?? [];
  if (errors.length === 0) {
    return null;
  }
  const groups = alike(errors);
  const list = (some: readonly CellError[][]) => (
    <ul className="jp-mle-Errors">
      {some.map(([error, ...others]) => (
        <li key={`${error.cell_id}/${error.ename}/${error.evalue}`}>
          <ErrorBody model={model} error={error} kind="root" />
          {others.length > 0 && (
            <Fold
              summary={trans._n(
                'The same in %1 more cell',
                'The same in %1 more cells',
                others.length
              )}
            >
              <ul className="jp-mle-Remarks">
                {others.map(({ cell_id }, index) => (
                  <li key={`${cell_id}/${index}`}>
                    <CellLink model={model} cellId={cell_id} />
                  </li>
                ))}
              </ul>
            </Fold>
          )}
        </li>
      ))}
    </ul>
  );
  const rest = groups.slice(MOST_LIVE);
  return (
    <Section
      title={trans.__('Errors so far')}
      badge={<Chip tone="busy">{String(errors.length)}</Chip>}
    >
      {list(groups.slice(0, MOST_LIVE))}
      {rest.length > 0 && (
        <Fold
          summary={trans._n('%1 other error', '%1 other errors', rest.length)}
        >
          {list(rest)}
        </Fold>
      )}
    </Section>
  );
}

/** Return errors grouped by their name and message, in their order. */
function alike(errors: readonly CellError[]): CellError[][] {
  const groups = new Map<string, CellError[]>();
  for (const error of errors) {
    const name = `${error.ename}: ${error.evalue}`;
    groups.set(name, [...(groups.get(name) ?? []), error]);
  }
  return [...groups.values()];
}

/** Errors as items of a list. */
function ErrorItems(
  props: IModelProps & { findings: readonly Finding[] }
): JSX.Element {
  return (
    <>
      {props.findings.map(finding => (
        <li key={key(finding)}>
          <ErrorBody
            model={props.model}
            error={finding.error}
            kind={finding.kind}
            finding={finding}
          />
        </li>
      ))}
    </>
  );
}

/** Properties of the body of an error's card. */
interface IErrorBodyProps {
  /** The notebook's modernization. */
  model: Modernization;
  /** The error. */
  error: CellError;
  /** Role of the error in the notebook. */
  kind: Finding['kind'];
  /** Its meaning, if already known. */
  finding?: Finding;
  /** Whether its traceback is open at first. */
  isOpen?: boolean;
}

function ErrorBody(props: IErrorBodyProps): JSX.Element {
  const trans = useTrans();
  const { error, finding, kind, model } = props;
  const isKnown = error.traceback.length + error.facts.length > 0;
  const isOld = useValue(model.documentChanged, () => {
    const place = kind === 'root' ? model.places.find(error.cell_id) : null;
    return place !== null && failedThen(model.document.shared, place, error);
  });
  return (
    <article className={`jp-mle-Error jp-mod-${kind}`}>
      <header className="jp-mle-Error-header">
        <CellLink model={model} cellId={error.cell_id} />
        <span className="jp-mle-Error-name">{error.ename}</span>
        {!error.raised && (
          <span className="jp-mle-Hint">
            {error.expected
              ? trans.__('expected: the cell is tagged raises-exception')
              : trans.__('only displayed; the cell itself succeeded')}
          </span>
        )}
      </header>
      <p className="jp-mle-Error-value">{error.evalue}</p>
      {kind === 'root' && finding && (
        <RehearsalDoubt model={model} cellId={error.cell_id} />
      )}
      {isOld && (
        <p className="jp-mle-Hint">
          {trans.__(
            'Its saved output is the same error: it failed when it was written too.'
          )}
        </p>
      )}
      {finding?.explanation && (
        <p className="jp-mle-Error-explanation">
          <Prose text={finding.explanation} />{' '}
          <Link address={finding.link}>{trans.__('Read more')}</Link>
        </p>
      )}
      {isKnown && (
        <Fold
          isOpen={props.isOpen}
          summary={
            error.line === null
              ? trans.__('Traceback')
              : trans.__('Traceback (line %1 of the cell)', error.line)
          }
        >
          {error.traceback.length > 0 && <Traceback lines={error.traceback} />}
          {error.facts.length > 0 && (
            <>
              <p className="jp-mle-Hint">{trans.__('Facts from the kernel')}</p>
              <dl className="jp-mle-Facts">
                {error.facts.map((fact, index) => (
                  <React.Fragment key={index}>
                    <dt>{fact.name}</dt>
                    <dd>{fact.value}</dd>
                  </React.Fragment>
                ))}
              </dl>
            </>
          )}
        </Fold>
      )}
    </article>
  );
}

function key(finding: Finding): string {
  const { error } = finding;
  return `${finding.kind}/${error.cell_id}/${error.ename}/${error.evalue.slice(0, 80)}`;
}
