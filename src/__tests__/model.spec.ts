import type { ISignal } from '@lumino/signaling';

import type { Decide, Review, Session } from '../api/types';
import { SessionModel } from '../session/model';
import {
  FakeDocument,
  type IAnswer,
  info,
  type IRequest,
  makeClient,
  makeDiagnosis,
  makeEdit,
  makeFinding,
  makeError,
  makeHints,
  makeIteration,
  makeNotebook,
  makeReview,
  makeSession,
  settings,
  settle,
  sourcesOf,
  trans,
  wireNotebook
} from './values';

/**
 * A server that keeps one session, records decisions, and can be told to refuse.
 */
class FakeServer {
  constructor(public session: Session | null) {}

  notebooks = new Map<string, unknown>();
  refuse: ((request: IRequest) => IAnswer | null) | null = null;

  answer = (request: IRequest): IAnswer => {
    const refused = this.refuse?.(request);
    if (refused) {
      return refused;
    }
    const route = request.route.replace(/\?.*/, '');
    if (route === 'sessions' && request.method === 'GET') {
      return { body: { sessions: this.session ? [this.session] : [] } };
    }
    if (route === 'sessions') {
      this.session = makeSession();
      return { status: 201, body: this.session };
    }
    if (route === 'detect') {
      return { body: { competition: 'titanic', reason: 'It reads titanic.' } };
    }
    if (!this.session) {
      return { status: 404, body: { code: 'not_found', message: 'None.' } };
    }
    const notebook = /notebooks\/(.*)$/.exec(route);
    if (notebook) {
      return { body: this.notebooks.get(notebook[1]) };
    }
    if (route.endsWith('/decisions')) {
      this.record(request.body as Decide);
    } else if (route.endsWith('/runs') || route.endsWith('/fixes')) {
      this.next({ phase: 'preparing' });
    } else if (route.endsWith('/cancel')) {
      this.next({ phase: 'cancelled' });
    } else if (request.method === 'PATCH') {
      this.next({
        settings: (request.body as { settings: Session['settings'] }).settings
      });
    }
    return { body: this.session };
  };

  next(change: Partial<Session>): void {
    if (this.session) {
      this.session = {
        ...this.session,
        ...change,
        seq: this.session.seq + 1
      };
    }
  }

  private record({ decisions }: Decide): void {
    this.next({
      iterations: this.session?.iterations.map(iteration => ({
        ...iteration,
        reviews: iteration.reviews.map(review => ({
          ...review,
          decisions: { ...review.decisions, ...decisions }
        }))
      }))
    });
  }
}

const SOURCES = ['import pandas as pd', 'df.append(x)', 'print(df)', 'old()'];

function proposal(): Review {
  return makeReview([
    makeEdit({
      id: 'e1',
      cell_id: 'c1',
      base_source: 'df.append(x)',
      base_hash: 'h1',
      new_source: 'pd.concat([df, x])'
    }),
    makeEdit({
      id: 'e2',
      kind: 'insert',
      cell_id: 'new',
      after: 'c2',
      new_source: 'check()'
    }),
    makeEdit({
      id: 'e3',
      kind: 'delete',
      cell_id: 'c3',
      base_source: 'old()',
      base_hash: 'h3'
    })
  ]);
}

async function open(
  session: Session | null,
  sources: readonly string[] = SOURCES
) {
  const server = new FakeServer(session);
  const { client, requests } = makeClient(server.answer);
  const { emit, hints } = makeHints();
  const document = new FakeDocument(makeNotebook(sources));
  const model = new SessionModel({
    client,
    document,
    hints,
    info,
    preferences: {},
    trans
  });
  await model.load();
  await settle();
  const decisions = () =>
    requests
      .filter(request => request.route.includes('/decisions'))
      .map(request => request.body as Decide);
  return { decisions, document, emit, model, requests, server };
}

function reviewing(review = proposal()): Session {
  return makeSession({
    phase: 'reviewing',
    iterations: [
      makeIteration({
        diagnosis: makeDiagnosis({
          findings: [makeFinding({ error: makeError({ cell_id: 'c1' }) })]
        }),
        reviews: [review]
      })
    ]
  });
}

function next<T, A>(signal: ISignal<T, A>): Promise<A> {
  return new Promise(resolve => signal.connect((_, value) => resolve(value)));
}

describe('a notebook without a session', () => {
  it('has the competition that was found in its paths', async () => {
    const { model } = await open(null);
    expect(model.session).toBeNull();
    expect(model.draft.competition).toBe('titanic');
    expect(model.detected?.reason).toBe('It reads titanic.');
  });

  it('gets a session with the settings of the form, and runs what is in the document', async () => {
    const { model, requests } = await open(null);
    model.edit({ targetScore: '0.9', mode: 'auto' });
    await model.run();
    const made = requests.find(
      item => /^sessions(\?|$)/.test(item.route) && item.method === 'POST'
    );
    expect(made?.body).toMatchObject({
      path: 'old/titanic.ipynb',
      settings: { target_score: 0.9, mode: 'auto' }
    });
    const run = requests.find(item => item.route.includes('/runs'));
    expect(run?.body).toEqual({ notebook: wireNotebook(SOURCES) });
    expect(model.isWorking).toBe(true);
  });

  it('does not run while a field of the form is wrong', async () => {
    const { model, requests } = await open(null);
    model.edit({ targetScore: 'much' });
    await model.run();
    expect(requests.some(item => item.route.includes('/runs'))).toBe(false);
  });

  it('shows why the server refused, and loses nothing', async () => {
    const { document, model, server } = await open(null);
    server.refuse = request =>
      request.method === 'POST'
        ? {
            status: 400,
            body: { code: 'bad_notebook', message: 'It is empty.' }
          }
        : null;
    await model.run();
    expect(model.problem).toEqual({
      code: 'bad_notebook',
      message: 'It is empty.',
      cellId: null
    });
    expect(sourcesOf(document.shared)).toEqual(SOURCES);
  });
});

describe('a session', () => {
  it('is found again when the notebook is opened again', async () => {
    const { model } = await open(makeSession({ phase: 'running', seq: 8 }));
    expect(model.session?.seq).toBe(8);
    expect(model.isWorking).toBe(true);
  });

  it('takes changed settings before it runs again', async () => {
    const { model, requests } = await open(makeSession());
    model.edit({ threshold: '5' });
    await model.run();
    const routes = requests.map(item => item.method);
    expect(routes.indexOf('PATCH')).toBeGreaterThan(-1);
    expect(routes.indexOf('PATCH')).toBeLessThan(routes.lastIndexOf('POST'));
    expect(model.session?.settings.threshold).toBe(0.05);
  });

  it('keeps what is typed in the form while states come in', async () => {
    const { emit, model, server } = await open(
      makeSession({ phase: 'running' })
    );
    model.edit({ targetScore: '0.7' });
    server.next({ phase: 'grading' });
    emit({ session_id: server.session?.id, seq: server.session?.seq });
    await settle();
    expect(model.session?.phase).toBe('grading');
    expect(model.draft.targetScore).toBe('0.7');
  });

  it('tells when work has come to its end', async () => {
    const { emit, model, server } = await open(
      makeSession({ phase: 'running' })
    );
    const rested = next(model.rested);
    server.next({ phase: 'finished', verdict: 'reproduced' });
    emit({ session_id: server.session?.id, seq: server.session?.seq });
    expect((await rested).verdict).toBe('reproduced');
  });

  it('can be cancelled', async () => {
    const { model } = await open(makeSession({ phase: 'running' }));
    await model.cancel();
    expect(model.session?.phase).toBe('cancelled');
  });

  it('asks for a fix of the notebook as it is now, where it was changed', async () => {
    const { document, model, requests, server } = await open(reviewing());
    server.notebooks.set('a'.repeat(64), wireNotebook(SOURCES));
    await model.proposeFix({ fix_type: 'score-calibration' });
    document.shared.getCell(0).setSource('changed');
    server.next({ phase: 'reviewing' });
    await model.refresh();
    await model.proposeFix({ scope: 'cell' });
    const bodies = requests
      .filter(item => item.route.includes('/fixes'))
      .map(item => item.body);
    expect(bodies).toEqual([
      { fix_type: 'score-calibration', notebook: null },
      {
        scope: 'cell',
        notebook: wireNotebook(['changed', ...SOURCES.slice(1)])
      }
    ]);
  });

  it('brings the sources of an iteration back', async () => {
    const { document, model, server } = await open(reviewing());
    server.notebooks.set('a'.repeat(64), wireNotebook(['first', 'second']));
    expect(await model.restore(1)).toBe(4);
    expect(sourcesOf(document.shared)).toEqual(['first', 'second']);
    document.shared.undo();
    expect(sourcesOf(document.shared)).toEqual(SOURCES);
  });

  it('leaves itself behind for a new one', async () => {
    const { model } = await open(reviewing());
    model.startOver();
    expect(model.session).toBeNull();
    expect(model.draft.targetScore).toBe(String(settings.target_score));
  });
});

describe('a review', () => {
  it('touches the document only when an edit is accepted, and tells the server first', async () => {
    const { decisions, document, model } = await open(reviewing());
    expect(sourcesOf(document.shared)).toEqual(SOURCES);
    await model.review.accept('e1');
    expect(decisions()).toEqual([
      {
        decisions: { e1: { state: 'accepted', partial: false } },
        source_hashes: { e1: 'h1' }
      }
    ]);
    expect(document.shared.getCell(1).getSource()).toBe('pd.concat([df, x])');
    expect(model.review.edits[0].status).toBe('accepted');
  });

  it('changes nothing when an edit is rejected', async () => {
    const { decisions, document, model } = await open(reviewing());
    await model.review.reject('e1');
    expect(sourcesOf(document.shared)).toEqual(SOURCES);
    expect(decisions()[0].decisions.e1.state).toBe('rejected');
  });

  it('does not touch the document where the server refuses', async () => {
    const { document, model, server } = await open(reviewing());
    server.refuse = request =>
      request.route.includes('/decisions')
        ? {
            status: 409,
            body: { code: 'stale_edit', message: 'Changed.', cell_id: 'c1' }
          }
        : null;
    await model.review.accept('e1');
    expect(sourcesOf(document.shared)).toEqual(SOURCES);
    expect(model.problem).toEqual({
      code: 'stale_edit',
      message: 'Changed.',
      cellId: 'c1'
    });
  });

  it('accepts everything as one step of the notebook', async () => {
    const { document, model } = await open(reviewing());
    await model.review.acceptAll();
    const accepted = [SOURCES[0], 'pd.concat([df, x])', SOURCES[2], 'check()'];
    expect(sourcesOf(document.shared)).toEqual(accepted);
    document.shared.undo();
    expect(sourcesOf(document.shared)).toEqual(SOURCES);
    document.shared.redo();
    expect(sourcesOf(document.shared)).toEqual(accepted);
  });

  it('rejects everything', async () => {
    const { document, model } = await open(reviewing());
    await model.review.rejectAll();
    expect(model.review.undecided).toEqual([]);
    expect(sourcesOf(document.shared)).toEqual(SOURCES);
  });

  it('shows an edit as out of date as soon as its cell is changed, and takes it in again when that is undone', async () => {
    const { document, model } = await open(reviewing());
    const cell = document.shared.getCell(1);
    cell.updateSource(0, 0, '# ');
    expect(model.review.edits[0].status).toBe('stale');
    cell.undo();
    expect(model.review.edits[0].status).toBe('pending');
  });

  it('records an out-of-date edit as such instead of writing over the cell', async () => {
    const { decisions, document, model } = await open(reviewing());
    document.shared.getCell(1).setSource('mine');
    await model.review.acceptAll();
    expect(decisions()[0].decisions).toMatchObject({
      e1: { state: 'stale' },
      e2: { state: 'accepted' },
      e3: { state: 'accepted' }
    });
    expect(document.shared.getCell(1).getSource()).toBe('mine');
  });

  it('sees that an accepted edit was undone, and can apply it again', async () => {
    const { document, model } = await open(reviewing());
    await model.review.accept('e1');
    document.shared.getCell(1).undo();
    expect(model.review.edits[0].status).toBe('undone');
    model.review.applyAgain('e1');
    expect(document.shared.getCell(1).getSource()).toBe('pd.concat([df, x])');
    expect(model.review.edits[0].status).toBe('accepted');
  });

  it('finds the cells by their text where the document has new ids', async () => {
    const server = reviewing();
    const { document, model, server: fake } = await open(null);
    fake.session = server;
    fake.notebooks.set('a'.repeat(64), {
      language: 'python',
      cells: wireNotebook(SOURCES).cells.map(cell => ({
        ...cell,
        id: `before-${cell.id}`
      }))
    });
    const renamed = proposal();
    model.take({
      ...server,
      iterations: [
        makeIteration({
          reviews: [
            {
              ...renamed,
              proposal: {
                ...renamed.proposal,
                edits: renamed.proposal.edits.map(edit => ({
                  ...edit,
                  cell_id:
                    edit.kind === 'insert'
                      ? edit.cell_id
                      : `before-${edit.cell_id}`,
                  after: edit.after && `before-${edit.after}`
                }))
              }
            }
          ]
        })
      ]
    });
    fake.session = model.session;
    await settle();
    expect(model.review.edits.map(view => view.status)).toEqual([
      'pending',
      'pending',
      'pending'
    ]);
    await model.review.acceptAll();
    expect(sourcesOf(document.shared)).toEqual([
      SOURCES[0],
      'pd.concat([df, x])',
      SOURCES[2],
      'check()'
    ]);
  });

  it('decides hunk by hunk; what is mixed is accepted in part', async () => {
    const review = makeReview([
      makeEdit({
        id: 'e1',
        base_source: 'a\nkeep\nb',
        base_hash: 'h',
        new_source: 'A\nkeep\nB'
      })
    ]);
    const { decisions, document, model } = await open(reviewing(review), [
      'a\nkeep\nb'
    ]);
    await model.review.rejectHunk('e1', 0);
    expect(decisions()).toEqual([]);
    await model.review.acceptHunk('e1', 0);
    expect(decisions()[0].decisions.e1).toEqual({
      state: 'accepted',
      partial: true
    });
    expect(sourcesOf(document.shared)).toEqual(['a\nkeep\nB']);
    document.shared.getCell(0).undo();
    expect(sourcesOf(document.shared)).toEqual(['a\nkeep\nb']);
  });

  it('takes an edit whose hunks are all rejected for rejected', async () => {
    const { decisions, document, model } = await open(reviewing());
    await model.review.rejectHunk('e1', 0);
    expect(decisions()[0].decisions.e1.state).toBe('rejected');
    expect(sourcesOf(document.shared)).toEqual(SOURCES);
  });

  it('goes on to the next edit that waits', async () => {
    const { model } = await open(reviewing());
    const moves: (string | null)[] = [];
    model.review.selected.connect((_, { editId }) => moves.push(editId));
    await model.review.accept('e1');
    await model.review.reject('e3');
    await model.review.reject('e2');
    expect(moves).toEqual(['e2', 'e2', null]);
  });

  it('steps around the edits', async () => {
    const { model } = await open(reviewing());
    model.review.step(-1);
    expect(model.review.current?.edit.id).toBe('e3');
    model.review.step(1);
    expect(model.review.current?.edit.id).toBe('e1');
  });

  it('does not decide while work goes on', async () => {
    const { decisions, model, server } = await open(reviewing());
    server.next({ phase: 'running' });
    await model.refresh();
    await model.review.accept('e1');
    await model.review.acceptAll();
    expect(decisions()).toEqual([]);
  });

  it('places an insertion behind the cell before one that was rejected', async () => {
    const review = makeReview([
      makeEdit({ id: 'i1', kind: 'insert', cell_id: 'n1', after: 'c0' }),
      makeEdit({
        id: 'i2',
        kind: 'insert',
        cell_id: 'n2',
        after: 'n1',
        new_source: 'second'
      })
    ]);
    const { document, model } = await open(reviewing(review), ['a', 'b']);
    await model.review.reject('i1');
    await model.review.accept('i2');
    expect(sourcesOf(document.shared)).toEqual(['a', 'second', 'b']);
  });
});
