import type { ISignal } from '@lumino/signaling';

import type { Decide, Review, Session, SessionUpdate } from '../api/types';
import { Modernization } from '../review/modernization';
import {
  FakeDocument,
  type IAnswer,
  info,
  type IRequest,
  makeClient,
  makeDiagnosis,
  makeEdit,
  said,
  makeFinding,
  makeError,
  makeHints,
  makeIteration,
  makeNotebook,
  makeReview,
  makeSession,
  settle,
  makeQuestions,
  trans,
  makeSessionList
} from './values';

/** Return a whole session as an update. */
export function asUpdate({ iterations, ...changed }: Session): SessionUpdate {
  const { id, seq } = changed;
  return { id, since: 0, seq, changed, iterations };
}

/**
 * A server that stores one session, records decisions, and can be set to
 * refuse.
 */
export class FakeServer {
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
      return {
        body: makeSessionList(this.session)
      };
    }
    if (route === 'sessions') {
      this.session = makeSession();
      return { status: 201, body: this.session };
    }
    if (route === 'detect') {
      return {
        body: {
          competition: 'titanic',
          reason: said('It reads titanic.'),
          targets: []
        }
      };
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
    return {
      body: request.route.includes('?since=')
        ? asUpdate(this.session)
        : this.session
    };
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

export const SOURCES = [
  'import pandas as pd',
  'df.append(x)',
  'print(df)',
  'old()'
];

export function proposal(): Review {
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

export async function open(
  session: Session | null,
  sources: readonly string[] = SOURCES,
  agrees = true
) {
  const server = new FakeServer(session);
  const { client, requests } = makeClient(server.answer);
  const { emit, hints } = makeHints();
  const document = new FakeDocument(makeNotebook(sources));
  const model = new Modernization({
    client,
    document,
    hints,
    info,
    preferences: {},
    questions: makeQuestions({ runUnisolated: () => Promise.resolve(agrees) }),
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

export function reviewing(review = proposal()): Session {
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

export function next<T, A>(signal: ISignal<T, A>): Promise<A> {
  return new Promise(resolve => signal.connect((_, value) => resolve(value)));
}
