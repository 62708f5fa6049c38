import type { TranslationBundle } from '@jupyterlab/translation';

import type { Message } from '../api/types';
import { MESSAGES } from './messages';
import { Parameters } from './parameters';

/**
 * Return messages in words, sentence after sentence; empty if there are none.
 */
export function messagesText(
  messages: readonly Message[],
  trans: TranslationBundle
): string {
  return messages
    .map(message => messageText(message, trans))
    .filter(Boolean)
    .join(' ');
}

/**
 * Return a message in words; for an unknown code (from a newer server) the code
 * itself.
 */
export function messageText(
  message: Message,
  trans: TranslationBundle
): string {
  const words = MESSAGES[message.code];
  const parameters = new Parameters(message.parameters, inner =>
    messagesText(inner, trans)
  );
  return words ? words(parameters, trans) : message.code;
}
