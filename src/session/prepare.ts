import type { ModernizerClient } from '../api/client';
import type {
  CreateSession,
  ServerInfo,
  Session,
  SessionSettings
} from '../api/types';

/**
 * The session with the form's settings: a new one where there is none, a changed one where the
 * form says something else.
 *
 * @param session - The session there is, or null.
 * @param wish - What it is made from.
 */
export async function prepare(
  client: Pick<ModernizerClient, 'create' | 'changeSettings'>,
  session: Session | null,
  wish: CreateSession & { settings: SessionSettings }
): Promise<Session> {
  if (!session) {
    return client.create(wish);
  }
  return differ(session.settings, wish.settings)
    ? client.changeSettings(session.id, wish.settings)
    : session;
}

/**
 * Whether a notebook may run in a sandbox: one that does not isolate needs the person's yes.
 *
 * @param name - Of the sandbox; null is the best there is.
 * @param confirm - Asks the person.
 */
export async function mayRunIn(
  info: ServerInfo,
  name: string | null,
  confirm: (sandbox: string) => Promise<boolean>
): Promise<boolean> {
  const wanted = name ?? info.default_sandbox;
  const used = info.sandboxes.find(item => item.name === wanted);
  return !used || used.isolated || confirm(used.name);
}

/**
 * Whether two settings are not the same.
 */
export function differ(
  one: SessionSettings,
  other: SessionSettings | undefined
): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}
