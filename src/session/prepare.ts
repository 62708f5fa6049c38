import type { ModernizerClient } from '../api/client';
import type { Notebook, Session, SessionSettings } from '../api/types';

/**
 * The session with the form's settings: a new one where there is none, a changed one where the
 * form says something else.
 *
 * @param session - The session there is, or null.
 * @param path - Of the notebook.
 */
export async function prepare(
  client: Pick<ModernizerClient, 'create' | 'changeSettings'>,
  session: Session | null,
  path: string,
  notebook: Notebook,
  settings: SessionSettings
): Promise<Session> {
  if (!session) {
    return client.create({ path, notebook, settings });
  }
  return differ(session.settings, settings)
    ? client.changeSettings(session.id, settings)
    : session;
}

/**
 * Whether two settings are not the same.
 */
export function differ(one: SessionSettings, other: SessionSettings): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}
