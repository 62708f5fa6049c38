import type { TranslationBundle } from '@jupyterlab/translation';

import type { Message } from '../api/types';
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
