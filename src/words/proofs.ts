import type { TranslationBundle } from '@jupyterlab/translation';

import type { Proof, ProofKind, ProofOutcome } from '../api/types';
import type { Tone } from './labels';
import { messagesText } from './message';

/** Return the name of an experiment. */
export function triedWords(kind: ProofKind, trans: TranslationBundle): string {
  switch (kind) {
    case 'label-shuffle':
      return trans.__('Shuffled labels');
    case 'row-shuffle':
      return trans.__('Shuffled test rows');
    case 'half-rows':
      return trans.__('Half of the test rows');
    case 'no-copy':
      return trans.__('No copy');
    case 'way':
      return trans.__('Cells behind it');
  }
}

/** Return whether the outcome supports the result. */
export function outcomeWords(
  outcome: ProofOutcome,
  trans: TranslationBundle
): string {
  switch (outcome) {
    case 'passed':
      return trans.__('passed');
    case 'failed':
      return trans.__('failed');
    case 'unclear':
      return trans.__('open');
  }
}

/** The colour and sign of an outcome. */
export const PROOF_TONES: Record<ProofOutcome, Tone> = {
  passed: 'good',
  failed: 'bad',
  unclear: 'fair'
};

/** Return the result of a proof, in a sentence. */
export function shownWords(proof: Proof, trans: TranslationBundle): string {
  const { code, parameters } = proof;
  switch (code) {
    case 'labels-matter':
      return trans.__('The score is lost: it comes from training.');
    case 'labels-unused':
      return trans.__(
        'The predictions are the same: they do not come from training.'
      );
    case 'score-kept':
      return trans.__(
        'The score is just as good: it does not come from training.'
      );
    case 'score-not-computed':
      return trans.__('The printed score is the same: it is not computed.');
    case 'score-fell-little':
      return trans.__('The score falls, but too little to be a proof.');
    case 'no-better-than-floor':
      return trans.__(
        'The score is no better than a baseline: there is nothing to lose.'
      );
    case 'no-score':
      return trans.__('A run has no score, so nothing can be compared.');
    case 'follows-rows':
      return trans.__('The predictions follow the rows.');
    case 'follows-ids':
      return trans.__('The predictions follow the ids.');
    case 'follows-places':
      return trans.__('The predictions stay where they were.');
    case 'all-the-same':
      return trans.__('Every row has the same prediction.');
    case 'order-matters':
      return trans.__('The predictions change with the rows’ order.');
    case 'rows-cost-score':
      return trans.__('With the rows in another order the score is lost.');
    case 'rows-alone':
      return trans.__(
        'Each row has the same prediction without the other half.'
      );
    case 'rows-together':
      return trans.__(
        'Without the other half, %1 of %2 rows have another prediction: it depends on other test rows.',
        parameters.moved,
        parameters.rows
      );
    case 'varies':
      return trans.__(
        'Two runs on the same data predict differently: nothing can be compared.'
      );
    case 'ids-differ':
      return trans.__('The two submissions have different rows.');
    case 'copy':
      return trans.__('The submission is a copy of %1.', parameters.file);
    case 'own':
      return trans.__('The submission is original.');
    case 'cells-failed':
      return trans.__('Cells that the submission depends on failed.');
    case 'cells-ran':
      return trans.__('No cell that the submission depends on failed.');
    case 'not-possible':
      return trans.__(
        'Not possible, because %1.',
        messagesText(proof.reason, trans)
      );
  }
}
