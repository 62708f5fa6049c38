import type { Session } from '../../api/types';
import { SessionSync } from '../../session/sync';
import { makeHints, makeSession, settle, said } from '../values';

function follow(answers: (Session | null | Error)[]) {
  const { emit, hints } = makeHints();
  const asked: (number | undefined)[] = [];
  const sync = new SessionSync({
    client: {
      session: (_id, known) => {
        asked.push(known?.seq);
        const answer = answers.shift() ?? null;
        return answer instanceof Error
          ? Promise.reject(answer)
          : Promise.resolve(answer);
      }
    },
    hints
  });
  return { asked, emit, sync };
}

const id = makeSession().id;

describe('following a session', () => {
  it('reads it again when a hint is newer', async () => {
    const { asked, emit, sync } = follow([makeSession({ seq: 4 })]);
    sync.take(makeSession({ seq: 3 }));
    emit({ session_id: id, seq: 4 });
    await settle();
    expect(asked).toEqual([3]);
    expect(sync.session?.seq).toBe(4);
    sync.dispose();
  });

  it('catches up over a gap of hints that got lost', async () => {
    const { asked, emit, sync } = follow([makeSession({ seq: 41 })]);
    sync.take(makeSession({ seq: 3 }));
    emit({ session_id: id, seq: 40 });
    await settle();
    expect(asked).toEqual([3]);
    expect(sync.session?.seq).toBe(41);
    sync.dispose();
  });

  it.each([
    ['that it knows already', { session_id: id, seq: 3 }],
    ['of another session', { session_id: 'other', seq: 9 }],
    ['of another schema', { schema_id: 'urn:other', session_id: id, seq: 9 }],
    ['that is malformed', { session_id: 7, seq: 'nine' }]
  ])('does not read for a hint %s', async (_, hint) => {
    const { asked, emit, sync } = follow([]);
    sync.take(makeSession({ seq: 3 }));
    emit(hint);
    await settle();
    expect(asked).toEqual([]);
    sync.dispose();
  });

  it('drops an answer that is older than what it knows', () => {
    const { sync } = follow([]);
    sync.take(makeSession({ seq: 5, message: said('new') }));
    sync.take(makeSession({ seq: 4, message: said('old') }));
    expect(sync.session?.message).toEqual(said('new'));
    sync.dispose();
  });

  it('makes one more read of many hints that come during a read', async () => {
    const { asked, emit, sync } = follow([
      makeSession({ seq: 4 }),
      makeSession({ seq: 9 })
    ]);
    sync.take(makeSession({ seq: 3 }));
    for (const seq of [4, 5, 6, 7, 8, 9]) {
      emit({ session_id: id, seq });
    }
    await sync.refresh();
    expect(asked).toEqual([3, 4]);
    expect(sync.session?.seq).toBe(9);
    sync.dispose();
  });

  it('says when it cannot read, and when it can again', async () => {
    const { emit, sync } = follow([new Error('gone'), makeSession({ seq: 5 })]);
    const told: unknown[] = [];
    sync.failed.connect((_, error) => told.push(error));
    sync.take(makeSession({ seq: 3 }));
    emit({ session_id: id, seq: 4 });
    await settle();
    emit({ session_id: id, seq: 5 });
    await settle();
    expect(told).toEqual([new Error('gone'), null]);
    sync.dispose();
  });

  it('reads now and then while work goes on, without any hint', async () => {
    const { hints } = makeHints();
    let seq = 3;
    const sync = new SessionSync({
      client: {
        session: () => {
          seq += 1;
          return Promise.resolve(
            makeSession({ seq, phase: seq < 6 ? 'running' : 'finished' })
          );
        }
      },
      hints,
      interval: 5
    });
    const finished = new Promise<void>(resolve =>
      sync.updated.connect((_, session) => {
        if (session?.phase === 'finished') {
          resolve();
        }
      })
    );
    sync.take(makeSession({ seq, phase: 'running' }));
    await finished;
    expect(sync.session?.seq).toBe(6);
    sync.dispose();
  });
});
