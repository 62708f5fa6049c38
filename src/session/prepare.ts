import type { ModernizerClient } from '../api/client';
import type {
  CreateSession,
  SandboxInfo,
  ServerInfo,
  Session,
  SessionSettings
} from '../api/types';

/**
 * A session with these settings: the one there is, changed where it has others, or a new one.
 */
export async function prepareSession(
  client: Pick<ModernizerClient, 'create' | 'changeSettings'>,
  session: Session | null,
  wish: Required<CreateSession>
): Promise<Session> {
  if (!session) {
    return client.create(wish);
  }
  return sameSettings(session.settings, wish.settings)
    ? session
    : client.changeSettings(session.id, wish.settings);
}

/**
 * Whether two settings are the same.
 */
export function sameSettings(
  one: SessionSettings,
  other: SessionSettings
): boolean {
  const keys = Object.keys(one) as (keyof SessionSettings)[];
  return keys.every(
    key => JSON.stringify(one[key]) === JSON.stringify(other[key])
  );
}

/**
 * The sandbox the settings lead to, where it does not isolate; otherwise null.
 */
export function unisolated(
  settings: SessionSettings,
  info: ServerInfo
): SandboxInfo | null {
  const name = settings.sandbox ?? info.default_sandbox;
  const used = info.sandboxes.find(item => item.name === name);
  return used && !used.isolated ? used : null;
}
