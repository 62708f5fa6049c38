import type { ProofOutcome } from '../api/types';
import type { Tone } from './labels';

/** The colour and sign of an outcome. */
export const PROOF_TONES: Record<ProofOutcome, Tone> = {
  passed: 'good',
  failed: 'bad',
  unclear: 'fair'
};
