import * as React from 'react';

import type { Proposal } from '../api/types';
import { useTrans } from '../ui/context';
import { Fold } from '../ui/Fold';
import { Prose } from '../ui/Prose';
import { UsageText } from '../ui/UsageText';
import { labelOf, messageText } from '../words/message';
import type { CellNames } from '../words/parameters';
import { CellLink } from './CellLink';
import type { IModelProps } from './useModel';

/** Properties of the head of a proposal. */
interface IProposalSummaryProps extends IModelProps {
  /** The proposal. */
  proposal: Proposal;
}

/**
 * Author and subject of a proposal, and notes that a reviewer must read before
 * the edits.
 */
export function ProposalSummary(props: IProposalSummaryProps): JSX.Element {
  const trans = useTrans();
  const { model, proposal } = props;
  const who =
    proposal.fixer === 'rules'
      ? trans.__('Rules')
      : proposal.model || trans.__('Model');
  const cells = model.places.namesIn(model.session);
  return (
    <div className="jp-mle-Proposal">
      <p className="jp-mle-Proposal-by">
        <span>{who}</span>
        <span>{labelOf('fix-type', proposal.fix_type, trans)}</span>
        <span>
          {proposal.scope === 'file'
            ? trans.__('all cells')
            : trans.__('first failing cell')}
        </span>
        <UsageText usage={proposal.usage} />
      </p>
      <Plan proposal={proposal} cells={cells} />
      {proposal.notes.length > 0 && (
        <ul className="jp-mle-Notes" aria-label={trans.__('Integrity')}>
          {proposal.notes.map((note, index) => (
            <li
              key={index}
              className={`jp-mle-Note jp-mod-${note.severity === 'blocker' ? 'bad' : 'fair'}`}
            >
              <strong>
                {note.severity === 'blocker'
                  ? trans.__('Not allowed:')
                  : trans.__('Look twice:')}
              </strong>{' '}
              <Prose
                text={messageText(
                  {
                    code: `integrity.${note.code}`,
                    parameters: note.parameters
                  },
                  trans
                )}
              />{' '}
              {note.cell_id && <CellLink model={model} cellId={note.cell_id} />}
            </li>
          ))}
        </ul>
      )}
      {proposal.remarks.length > 0 && (
        <details className="jp-mle-More">
          <summary>
            {trans._n('%1 remark', '%1 remarks', proposal.remarks.length)}
          </summary>
          <ul className="jp-mle-Remarks">
            {proposal.remarks.map((remark, index) => (
              <li key={index}>
                <Prose text={messageText(remark, trans, cells)} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** Number of steps of a plan that are displayed at once. */
const MOST_STEPS = 4;

/**
 * A plan: the changes below it stay in view, so a long one is folded. One of
 * rules is folded whole, or left out if it is one step: each change has the same
 * reason next to it.
 */
function Plan(props: {
  proposal: Proposal;
  cells: CellNames;
}): JSX.Element | null {
  const trans = useTrans();
  const { cells, proposal } = props;
  const { edits, plan } = proposal;
  const isRepeated = edits.every(edit => edit.parts.length > 0);
  if (isRepeated && plan.length === 1) {
    return null;
  }
  const shown = isRepeated
    ? 0
    : plan.length > MOST_STEPS + 1
      ? MOST_STEPS
      : plan.length;
  const items = plan.map((step, index) => (
    <li key={index}>
      <Prose text={messageText(step, trans, cells)} />
    </li>
  ));
  return (
    <>
      {shown > 0 && (
        <ol className="jp-mle-Plan" aria-label={trans.__('Plan')}>
          {items.slice(0, shown)}
        </ol>
      )}
      {items.length > shown && (
        <Fold
          summary={
            shown > 0
              ? trans.__('%1 more steps', items.length - shown)
              : trans._n('Plan: %1 step', 'Plan: %1 steps', items.length)
          }
        >
          <ol className="jp-mle-Plan" start={shown + 1}>
            {items.slice(shown)}
          </ol>
        </Fold>
      )}
    </>
  );
}
