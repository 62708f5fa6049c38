import * as React from 'react';

import type { Rehearsal, Sample, Session } from '../../api/types';
import type { Modernization } from '../../review/modernization';
import { SAMPLE } from '../../session/form/settings';
import { currentIteration } from '../../session/reading';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { useTrans, useValue } from '../../ui/context';
import { type IModelProps, useSession } from '../../review/useModel';
import { messageText, messagesText } from '../../words/message';

/** Seconds after which a run is long enough for a rehearsal to be worth it. */
const LONG = 120;

/**
 * After a long run: that a rehearsal would meet errors sooner.
 */
export function RehearsalAdvice({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  useSession(model);
  const isDue = useValue(model.formChanged, () => isWorthIt(model));
  if (model.isWorking || !isDue) {
    return null;
  }
  return (
    <div className="jp-mle-Rehearsal-advice">
      <p className="jp-mle-Hint">
        {trans.__(
          'The last run took long. A rehearsal on a sample of the data, with a short training, would find errors soon.'
        )}
      </p>
      <Button
        look="quiet"
        label={trans.__('Rehearse from now on')}
        caption={trans.__(
          'The next run begins on a sample of the data with a short training'
        )}
        onClick={() => model.edit({ rehearsal: SAMPLE })}
      />
    </div>
  );
}

/**
 * Significance of a rehearsal's errors, and the reason if a requested rehearsal
 * did not happen.
 */
export function RehearsalNote({ model }: IModelProps): JSX.Element | null {
  const trans = useTrans();
  const { session } = model;
  const rehearsal = currentRehearsal(session);
  const without = messagesText(session?.unrehearsed ?? [], trans);
  if (!rehearsal) {
    return without ? <p className="jp-mle-Hint">{without}</p> : null;
  }
  return (
    <>
      <p className="jp-mle-Hint">
        {trans.__(
          'Hints from a rehearsal on %1. A run on the full data decides.',
          rehearsalSize(rehearsal, trans)
        )}
      </p>
      {rehearsal.sample.notes.map((note, index) => (
        <p key={index} className="jp-mle-Hint">
          {messageText(note, trans)}
        </p>
      ))}
    </>
  );
}

/**
 * Why an error of a rehearsal may come from the sample or the short training.
 */
export function RehearsalDoubt(
  props: IModelProps & { cellId: string }
): JSX.Element | null {
  const trans = useTrans();
  const { session } = props.model;
  const doubtful = currentRehearsal(session)?.doubtful;
  const reason = messagesText(doubtful?.[props.cellId] ?? [], trans);
  if (!reason) {
    return null;
  }
  return (
    <p className="jp-mle-Note jp-mod-fair">
      {trans.__('May come from the rehearsal. %1', reason)}
    </p>
  );
}

/**
 * The mark of a rehearsal in the history: it has no outcome.
 */
export function RehearsalMark({
  rehearsal
}: {
  rehearsal: Rehearsal;
}): JSX.Element {
  const trans = useTrans();
  return (
    <Chip tone="plain">
      {trans.__('Rehearsal on %1', rehearsalSize(rehearsal, trans))}
    </Chip>
  );
}

/** Return the data of the latest run if it is a rehearsal. */
function currentRehearsal(session: Session | null): Rehearsal | null {
  const item = session && currentIteration(session);
  return item?.kind === 'rehearsal' ? item.rehearsal : null;
}

function rehearsalSize(
  rehearsal: Rehearsal,
  trans: ReturnType<typeof useTrans>
): string {
  const data = sampleSize(rehearsal.sample, trans);
  return rehearsal.shortened.length > 0
    ? trans.__('%1, with a short training', data)
    : data;
}

function sampleSize(
  sample: Sample,
  trans: ReturnType<typeof useTrans>
): string {
  const [first, ...others] = sample.tables;
  if (!first && sample.files_left_out === 0) {
    return trans.__('all data');
  }
  if (!first) {
    return trans.__('fewer files (%1 left out)', sample.files_left_out);
  }
  const largest = others.reduce(
    (one, other) => (other.of > one.of ? other : one),
    first
  );
  return trans.__(
    '%1 rows of %2',
    largest.rows.toLocaleString(),
    largest.of.toLocaleString()
  );
}

function isWorthIt({ draft, session }: Modernization): boolean {
  const last = session && currentIteration(session);
  const execution = last?.execution;
  if (!session || !execution || last.kind === 'rehearsal' || draft.rehearsal) {
    return false;
  }
  return (
    session.settings.competition !== null &&
    session.verdict !== 'reproduced' &&
    (execution.ending === 'timed-out' || execution.seconds > LONG)
  );
}
