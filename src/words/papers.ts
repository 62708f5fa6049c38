import type { TranslationBundle } from '@jupyterlab/translation';

import type {
  Ancestor,
  Claim,
  ClaimsQuestion,
  Paper,
  PaperReading,
  Place,
  Range,
  SessionWriting,
  WritingEstimate
} from '../api/types';
import type { Tone } from './labels';
import { formatCost, formatTokens } from './numbers';

/** One stage that has ended. */
export type WrittenStage = SessionWriting['stages'][number];

/** One item of the checklist of a method. */
export type MethodItem = PaperReading['checklist'][number];

/** Return the place of something in a paper. */
export function placeText(
  place: Place,
  paper: Paper,
  trans: TranslationBundle
): string {
  const page = place.page === null ? '' : trans.__(', p. %1', place.page);
  if (place.table !== null) {
    const number = paper.tables[place.table]?.number || `${place.table + 1}`;
    return place.row === null
      ? trans.__('Table %1%2', number, page)
      : trans.__('Table %1 row %2%3', number, place.row + 1, page);
  }
  const section =
    place.section === null ? undefined : paper.sections[place.section];
  return section ? `§${section.number || section.title}${page}` : page.slice(2);
}

/**
 * Return the subject of a claim: data set, method and metric, as far as known.
 */
export function claimText(claim: Claim, trans: TranslationBundle): string {
  return [
    claim.dataset || trans.__('data set?'),
    claim.method || trans.__('method?'),
    claim.metric || trans.__('metric?')
  ].join(' · ');
}

/** Result of the completion of claims by a model. */
export type Completion = NonNullable<PaperReading['completion']>;

/**
 * Return a description of the request to a model for a paper's claims, with its
 * estimated cost.
 */
export function claimsQuestionText(
  question: ClaimsQuestion,
  trans: TranslationBundle
): string {
  const { cost_usd, host, input_tokens, model, output_tokens } = question;
  const sent = trans.__(
    '%1 at %2 is sent the paper’s text: about %3 tokens in, %4 out.',
    model,
    host,
    formatTokens(input_tokens),
    formatTokens(output_tokens)
  );
  const money =
    cost_usd === null
      ? trans.__('What that costs is not known.')
      : trans.__('That costs about %1.', formatCost(cost_usd));
  return `${sent} ${money}`;
}

/** Return the number of a model's claims that the paper confirms. */
export function completionText(
  completion: Completion,
  trans: TranslationBundle
): string {
  const { confirmed, model, refused } = completion;
  return trans._n(
    '%2 named %1 claim: %3 confirmed by the paper’s text, %4 refused.',
    '%2 named %1 claims: %3 confirmed by the paper’s text, %4 refused.',
    confirmed + refused.length,
    model,
    confirmed,
    refused.length
  );
}

/** Return whether a requirement is stated, as a word and a tone. */
export function statementText(
  item: MethodItem,
  trans: TranslationBundle
): readonly [string, Tone] {
  switch (item.statement) {
    case 'stated':
      return [trans.__('stated'), 'good'];
    case 'cited':
      return [trans.__('from a cited work'), 'fair'];
    case 'not_stated':
      return [trans.__('not stated'), 'bad'];
  }
}

/** Return the label of a value taken from a cited work. */
export function takenText(
  taken: Ancestor['taken'][number],
  trans: TranslationBundle
): string {
  return trans.__(
    '%1 (%2, %3):',
    taken.requirement.replaceAll('_', ' '),
    taken.source,
    taken.where
  );
}

/** Return the estimated cost of a notebook that a model writes. */
export function writingCost(
  estimate: WritingEstimate,
  trans: TranslationBundle
): string {
  const { cost_usd, input_tokens, output_tokens, questions, runs } = estimate;
  const work = trans.__(
    'It will probably be asked %1 times and the notebook run %2 times: %3 tokens in, %4 out.',
    span(questions, String),
    span(runs, String),
    span(input_tokens, formatTokens),
    span(output_tokens, formatTokens)
  );
  const money =
    cost_usd === null
      ? trans.__('What that costs is not known.')
      : trans.__(
          'That costs %1, likely %2.',
          span(cost_usd, formatCost),
          formatCost(cost_usd.likely)
        );
  return `${work} ${money}`;
}

function span(range: Range, format: (value: number) => string): string {
  return `${format(range.low)}–${format(range.high)}`;
}

/** Return the ending of a stage of writing, as a word and a tone. */
export function stageEnding(
  stage: WrittenStage,
  trans: TranslationBundle
): readonly [string, Tone] {
  switch (stage.ending) {
    case 'done':
      return [trans.__('done'), 'good'];
    case 'given-up':
      return [trans.__('no further change'), 'fair'];
    case 'rejected':
      return [trans.__('rejected'), 'bad'];
    case 'rounds':
      return [trans.__('rounds used up'), 'bad'];
    case 'budget':
      return [trans.__('budget used up'), 'bad'];
  }
}
