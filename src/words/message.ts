import type { TranslationBundle } from '@jupyterlab/translation';

import type {
  BlockRole,
  ChatMessage,
  FileAccess,
  FixType,
  Impact,
  LeakKind,
  Meaning,
  Message,
  Outcome,
  OutputMatch,
  PaperRemarkCode,
  Phase,
  ProofCode,
  ProofKind,
  ProofOutcome,
  RefusedClaim,
  ScoreKind,
  SplitKind,
  State,
  TargetSuggestion,
  Verdict,
  WritingStage
} from '../api/types';
import { MESSAGES } from './messages';
import { type CellNames, Parameters } from './parameters';

/**
 * Return messages in words, sentence after sentence; empty if there are none.
 *
 * @param cells - Names of the cells; without it they have their numbers.
 */
export function messagesText(
  messages: readonly Message[],
  trans: TranslationBundle,
  cells?: CellNames
): string {
  return messages
    .map(message => messageText(message, trans, cells))
    .filter(Boolean)
    .join(' ');
}

/**
 * Return a message in words; for an unknown code (from a newer server) the code
 * itself.
 */
export function messageText(
  message: Message,
  trans: TranslationBundle,
  cells?: CellNames
): string {
  const words = MESSAGES[message.code];
  const parameters = new Parameters(
    message.parameters,
    inner => messagesText(inner, trans, cells),
    cells
  );
  return words ? words(parameters, trans) : message.code;
}

/** Values with labels, by the family of the labels. */
interface ILabelled {
  'block-role': BlockRole;
  'cited-source': 'folder' | 'installed' | 'fetched';
  'file-access': FileAccess;
  'fix-type': FixType;
  'fix-type-help': FixType;
  folds: SplitKind;
  impact: Impact;
  leak: LeakKind;
  meaning: Meaning;
  outcome: Outcome;
  'output-match': OutputMatch;
  'paper-remark': PaperRemarkCode;
  phase: Phase;
  'prompt-role': ChatMessage['role'];
  proof: ProofCode;
  'proof-kind': ProofKind;
  'proof-outcome': ProofOutcome;
  'refused-claim': RefusedClaim['problem'];
  'score-kind': ScoreKind;
  split: SplitKind;
  state: State;
  'target-source': TargetSuggestion['source'];
  verdict: Verdict;
  'writing-stage': WritingStage;
}

/** Return the server's label of a value, with the parameters in their places. */
export function labelOf<Family extends keyof ILabelled>(
  family: Family,
  value: ILabelled[Family],
  trans: TranslationBundle,
  parameters: Message['parameters'] = {}
): string {
  return messageText({ code: `value.${family}.${value}`, parameters }, trans);
}
