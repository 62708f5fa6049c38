import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';

import type { Candidate, Grade } from '../../api/types';
import { formatPercent, formatScore } from '../../words/numbers';
import { Chip } from '../../ui/Chip';
import { useTrans } from '../../ui/context';
import { labelOf, messagesText } from '../../words/message';

/** Properties of a grade's facts. */
export interface IScoreFactsProps {
  /** The latest grade. */
  grade: Grade;
}

/**
 * Meaning of a score: its kind, its distance from the floor, the grader's
 * traps, the other CSVs.
 */
export function ScoreFacts({ grade }: IScoreFactsProps): JSX.Element {
  const trans = useTrans();
  const isCompared = grade.target !== null && grade.deviation !== null;
  return (
    <div className="jp-mle-ScoreFacts">
      {grade.score !== null && !isPlain(grade) && (
        <p className="jp-mle-Hint">{originText(grade, trans)}</p>
      )}
      {grade.score !== null && (isCompared || grade.floor !== null) && (
        <p className="jp-mle-Hint">{floorText(grade, trans)}</p>
      )}
      {grade.score !== null && grade.reason.length > 0 && (
        <p className="jp-mle-Note jp-mod-fair">
          {messagesText(grade.reason, trans)}
        </p>
      )}
      {grade.traps.length > 0 && (
        <ul
          className="jp-mle-Remarks"
          aria-label={trans.__('What decided about this score')}
        >
          {grade.traps.map((trap, index) => (
            <li key={index} className="jp-mle-Note jp-mod-fair">
              {messagesText(trap.what, trans)}
              {trap.corrected !== null && (
                <>
                  {' '}
                  <strong>
                    {trans.__(
                      'Without it the score is %1.',
                      formatScore(trap.corrected)
                    )}
                  </strong>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      <Candidates grade={grade} />
    </div>
  );
}

function Candidates({ grade }: IScoreFactsProps): JSX.Element | null {
  const trans = useTrans();
  const { candidates, submission } = grade;
  const others = candidates.filter(({ path }) => path !== submission);
  if (others.length === 0) {
    return null;
  }
  const graded = candidates.filter(({ path }) => path === submission);
  return (
    <details className="jp-mle-More">
      <summary>
        {graded.length > 0
          ? trans._n(
              '%1 other CSV of this run',
              '%1 other CSVs of this run',
              others.length
            )
          : trans._n(
              '%1 CSV of this run, none of them valid',
              '%1 CSVs of this run, none of them valid',
              others.length
            )}
      </summary>
      <ul
        className="jp-mle-Candidates"
        aria-label={trans.__('CSVs of this run')}
      >
        {[...graded, ...others].map(candidate => (
          <li key={candidate.path}>
            <code>{candidate.path}</code>{' '}
            {candidate.score !== null && (
              <strong>{formatScore(candidate.score)}</strong>
            )}{' '}
            <CandidateChip
              isGraded={candidate.path === submission}
              candidate={candidate}
            />
            <CandidateWords
              isGraded={candidate.path === submission}
              candidate={candidate}
            />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Properties of a CSV's line. */
interface ICandidateProps {
  /** Whether its score is the run's. */
  isGraded: boolean;
  /** The CSV. */
  candidate: Candidate;
}

function CandidateChip({ candidate, isGraded }: ICandidateProps): JSX.Element {
  const trans = useTrans();
  if (isGraded) {
    return <Chip tone="good">{trans.__('graded')}</Chip>;
  }
  return candidate.valid ? (
    <Chip tone="plain">{trans.__('not taken')}</Chip>
  ) : (
    <Chip tone="bad">{trans.__('invalid')}</Chip>
  );
}

function CandidateWords({
  candidate,
  isGraded
}: ICandidateProps): JSX.Element | null {
  const trans = useTrans();
  const words = [
    messagesText(candidate.reason, trans),
    messagesText(candidate.note, trans)
  ].filter(Boolean);
  if (candidate.valid && !isGraded) {
    words.unshift(
      trans.__(
        'The graded one is nearer to the sample submission by its columns or its name, or newer.'
      )
    );
  }
  return words.length > 0 ? (
    <p className="jp-mle-Hint">{words.join(' ')}</p>
  ) : null;
}

/** Return whether score and target are both the grader's, the usual case. */
function isPlain(grade: Grade): boolean {
  return grade.score_kind === 'graded' && grade.target_kind === 'graded';
}

/**
 * Return whether the distance from the target, displayed above, is the same
 * number relative to the floor.
 */
function isSaid(grade: Grade): boolean {
  return (
    grade.measure !== 'floor' &&
    grade.floor_deviation !== null &&
    grade.deviation !== null &&
    formatPercent(grade.floor_deviation) === formatPercent(grade.deviation)
  );
}

function originText(grade: Grade, trans: TranslationBundle): string {
  const kind = labelOf('score-kind', grade.score_kind, trans);
  if (grade.target === null) {
    return trans.__('Score: %1.', kind);
  }
  return trans.__(
    'Score: %1. Target: %2.',
    kind,
    labelOf('score-kind', grade.target_kind, trans)
  );
}

function floorText(grade: Grade, trans: TranslationBundle): string {
  if (grade.floor === null) {
    return trans.__(
      'There is no floor to measure from, so the threshold is put on the target score.'
    );
  }
  const floor = formatScore(grade.floor);
  const what =
    grade.floor_kind === 'sample-submission'
      ? trans.__('the sample submission’s score %1', floor)
      : trans.__('the best constant prediction’s score %1', floor);
  if (grade.target === null || grade.deviation === null || isSaid(grade)) {
    return trans.__('Floor: %1.', what);
  }
  if (grade.floor_deviation === null) {
    return trans.__(
      'The target is not better than the floor, %1: no distance relative to it.',
      what
    );
  }
  const distance = formatPercent(grade.floor_deviation);
  return grade.measure === 'floor'
    ? trans.__(
        'Relative to the floor, %1, it is %2 off; the threshold is put on this.',
        what,
        distance
      )
    : trans.__('Relative to the floor, %1, it is %2 off.', what, distance);
}
