import { ApiError, FailureCode } from '../../api/client';
import { shakeHands } from '../../api/handshake';
import { info, makeClient, makeIteration, makeSession, trans } from '../values';

async function failure(work: Promise<unknown>): Promise<ApiError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ApiError) {
      return error;
    }
    throw error;
  }
  throw new Error('It did not fail.');
}

describe('the client', () => {
  it('carries the code, the sentence and the cell of a refusal', async () => {
    const { client } = makeClient(() => ({
      status: 409,
      body: {
        code: 'stale_edit',
        message: 'The cell was changed.',
        cell_id: 'c3'
      }
    }));
    const error = await failure(
      client.decide('s', 'p', { decisions: {}, source_hashes: {} })
    );
    expect(error.code).toBe('stale_edit');
    expect(error.message).toBe('The cell was changed.');
    expect(error.cellId).toBe('c3');
    expect(error.status).toBe(409);
  });

  it('says how to install the server part where its routes are missing', async () => {
    const { client } = makeClient(() => ({
      status: 404,
      body: '<html>Not found</html>'
    }));
    const error = await failure(client.info());
    expect(error.code).toBe(FailureCode.SERVER_MISSING);
    expect(error.message).toContain('pip install mle-modernizer');
  });

  it('tells a session that is gone from a server part that is missing', async () => {
    const { client } = makeClient(() => ({
      status: 404,
      body: { code: 'not_found', message: 'No session.', cell_id: null }
    }));
    expect((await failure(client.session('s'))).code).toBe('not_found');
  });

  describe('with a server that is busy', () => {
    const busy = {
      status: 503,
      headers: { 'Retry-After': '5' },
      body: { code: 'busy', message: 'The server is busy.', cell_id: null }
    };
    beforeEach(() => jest.useFakeTimers());
    afterEach(() => jest.useRealTimers());

    it('asks again after the time that it names', async () => {
      const answers = [busy, { body: info }];
      const { client, requests } = makeClient(() => answers.shift() ?? busy);
      const asked = client.info();
      await jest.advanceTimersByTimeAsync(4900);
      expect(requests).toHaveLength(1);
      await jest.advanceTimersByTimeAsync(200);
      expect(await asked).toEqual(info);
    });

    it('shows the refusal after three attempts', async () => {
      const { client, requests } = makeClient(() => busy);
      const asked = failure(client.info());
      await jest.advanceTimersByTimeAsync(11_000);
      expect((await asked).message).toBe('The server is busy.');
      expect(requests).toHaveLength(3);
    });
  });

  it('says that the login ran out', async () => {
    const { client } = makeClient(() => ({
      status: 403,
      body: { message: 'Forbidden' }
    }));
    expect((await failure(client.info())).code).toBe(FailureCode.FORBIDDEN);
  });

  it('says that the server does not answer', async () => {
    const { client } = makeClient(() => {
      throw new TypeError('Failed to fetch');
    });
    const error = await failure(client.info());
    expect(error.code).toBe(FailureCode.NETWORK);
    expect(error.status).toBe(0);
  });

  it('does not take an answer for granted that is no JSON', async () => {
    const { client } = makeClient(() => ({ body: '<html>proxy</html>' }));
    expect((await failure(client.info())).code).toBe(FailureCode.UNEXPECTED);
  });

  it('takes 304 for nothing new', async () => {
    const { client, requests } = makeClient(() => ({ status: 304 }));
    expect(await client.session('s', makeSession({ seq: 7 }))).toBeNull();
    expect(requests[0].route).toMatch(/^sessions\/s\?since=7/);
  });

  it('puts what changed into what it knows', async () => {
    const [first, second] = [
      makeIteration({ number: 1 }),
      makeIteration({ number: 2 })
    ];
    const known = makeSession({ seq: 7, iterations: [first, second] });
    const again = makeIteration({ number: 2, changed_lines: 3 });
    const third = makeIteration({ number: 3 });
    const { client } = makeClient(() => ({
      body: {
        id: known.id,
        since: 7,
        seq: 9,
        changed: { phase: 'running', seq: 9 },
        iterations: [again, third]
      }
    }));
    const session = await client.session(known.id, known);
    expect(session).toEqual({
      ...known,
      phase: 'running',
      seq: 9,
      iterations: [first, again, third]
    });
    expect(session?.iterations[0]).toBe(first);
  });

  it('asks for the sessions of a path with any characters', async () => {
    const { client, requests } = makeClient(() => ({ body: { sessions: [] } }));
    await client.sessions('a & b/ü?.ipynb');
    const query = new URL(requests[0].route, 'http://x').searchParams;
    expect(query.get('path')).toBe('a & b/ü?.ipynb');
  });

  it('follows the clock of the server where it differs', async () => {
    const ahead = new Date(Date.now() + 3600_000).toUTCString();
    const { client } = makeClient(() => ({
      body: makeSession(),
      headers: { Date: ahead }
    }));
    await client.session('s');
    expect(client.serverNow() - Date.now()).toBeGreaterThan(3590_000);
  });
});

describe('the handshake', () => {
  it('is silent where the versions agree', async () => {
    const { client } = makeClient(() => ({ body: info }));
    const state = await shakeHands(client, trans);
    expect(state).toEqual({ kind: 'ready', info, warning: null });
  });

  it('takes a pre-release in both spellings for the same version', async () => {
    const { client } = makeClient(() => ({
      body: { ...info, version: '0.1.0b1' }
    }));
    const state = await shakeHands(client, trans);
    expect(state.kind === 'ready' && state.warning).toBeNull();
  });

  it('warns where panel and server part are of different versions', async () => {
    const { client } = makeClient(() => ({
      body: { ...info, version: '9.9.9' }
    }));
    const state = await shakeHands(client, trans);
    expect(state.kind === 'ready' && state.warning).toContain('9.9.9');
  });

  it('keeps the reason where the server part is missing', async () => {
    const { client } = makeClient(() => ({ status: 404, body: '' }));
    const state = await shakeHands(client, trans);
    expect(state).toMatchObject({
      kind: 'failed',
      code: FailureCode.SERVER_MISSING
    });
  });
});
