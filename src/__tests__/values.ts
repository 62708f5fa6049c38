import { YNotebook } from '@jupyter/ydoc';
import type { ServerConnection } from '@jupyterlab/services';
import { nullTranslator } from '@jupyterlab/translation';
import { Signal } from '@lumino/signaling';

import { ModernizerClient } from '../api/client';
import type { ServerState } from '../api/handshake';
import { HINT_SCHEMA, SessionHints } from '../api/hints';
import type {
  CellEdit,
  CellError,
  CleanRun,
  Diagnosis,
  Finding,
  Grade,
  Message,
  Notebook,
  Progress,
  Proposal,
  RehearsalRun,
  Review,
  ServerInfo,
  Session,
  SessionList,
  SessionSummary,
  SessionSettings,
  Usage
} from '../api/types';
import type { Modernization } from '../review/modernization';
import type { INotebookDocument } from '../session/document/document';
import schema from '../../mle_modernizer_server/web/schema.json';
import { readPreferences } from '../session/form/preferences';
import { isGraded } from '../session/reading';
import type { IQuestions } from '../session/options';
import type { IModernizer } from '../tokens';
import { messagesText } from '../words/message';

/** Sentences as they are. */
export const trans = nullTranslator.load('');

export const noUsage: Usage = {
  calls: 0,
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  cost_usd: null,
  unpriced_calls: 0,
  prices_as_of: null,
  estimated: false,
  failed: 0
};

const defaults = Object.fromEntries(
  Object.entries(schema.$defs.SessionSettings.properties).map(
    ([name, field]) => [name, 'default' in field ? field.default : {}]
  )
) as unknown as SessionSettings;

export const settings: SessionSettings = {
  ...defaults,
  competition: 'titanic',
  target_score: 0.8
};

export const info: ServerInfo = {
  version: '0.1.0',
  sandboxes: [
    { name: 'bubblewrap', isolated: true, available: true, reason: [] },
    { name: 'process', isolated: false, available: true, reason: [] }
  ],
  default_sandbox: 'bubblewrap',
  llm: {
    configured: false,
    model: '',
    price: null,
    reason: 'Set a key on the server.'
  },
  data_root: '/data',
  no_data: [],
  competitions: [
    {
      id: 'titanic',
      name: 'Titanic',
      metric: 'accuracy',
      higher_is_better: true,
      target_columns: ['Survived']
    }
  ],
  problems: [],
  defaults: settings,
  old_pythons: []
};

/** Return a document made of cells: a plain text is a code cell. */
export function makeNotebook(sources: readonly string[], minor = 5): YNotebook {
  return YNotebook.create({
    disableDocumentWideUndoRedo: true,
    data: {
      nbformat: 4,
      nbformat_minor: minor,
      metadata: {},
      cells: sources.map((source, index) => ({
        id: `c${index}`,
        cell_type: 'code' as const,
        source,
        metadata: {},
        outputs: [],
        execution_count: null
      }))
    }
  });
}

/** Return the sources of a document. */
export function sourcesOf(notebook: YNotebook): string[] {
  return notebook.cells.map(cell => cell.getSource());
}

/** A document that is open nowhere. */
export class FakeDocument implements INotebookDocument {
  constructor(
    readonly shared: YNotebook,
    readonly language = 'python'
  ) {
    // Of the cells' texts too, as the application's model does.
    shared.ydoc.on('update', () => this.changed.emit());
  }

  readonly path = 'old/titanic.ipynb';
  readonly mimeType = 'text/x-ipython';
  readonly changed = new Signal<this, void>(this);
  readonly languageChanged = new Signal<this, void>(this);
  readonly revealed: string[] = [];
  pointed: string | null = null;

  point(cellId: string | null): void {
    this.pointed = cellId;
  }

  reveal(cellId: string): Promise<void> {
    this.revealed.push(cellId);
    return Promise.resolve();
  }
}

/** Return the notebook in its wire format. */
export function wireNotebook(sources: readonly string[]): Notebook {
  return {
    language: 'python',
    cells: sources.map((source, index) => ({
      id: `c${index}`,
      type: 'code',
      source,
      tags: []
    }))
  };
}

export function makeError(change: Partial<CellError> = {}): CellError {
  return {
    cell_id: 'c0',
    index: 0,
    ename: 'NameError',
    evalue: "name 'x' is not defined",
    summary: "name 'x' is not defined",
    traceback: ['Traceback', "NameError: name 'x' is not defined"],
    raised: true,
    expected: false,
    line: 1,
    facts: [],
    imported_beside: '',
    ...change
  };
}

export function makeFinding(change: Partial<Finding> = {}): Finding {
  return {
    kind: 'root',
    error: makeError(),
    caused_by: null,
    explanation: '',
    link: '',
    ...change
  };
}

export function makeDiagnosis(change: Partial<Diagnosis> = {}): Diagnosis {
  return {
    outcome: 'error-non-reproducible',
    execution_status: 'error',
    output_status: 'with-csv',
    findings: [],
    fix_type: 'error-repair',
    summary: said('One cell fails.'),
    ...change
  };
}

export function makeGrade(change: Partial<Grade> = {}): Grade {
  return {
    output_status: 'with-csv',
    metric: 'accuracy',
    higher_is_better: true,
    submission: 'submission.csv',
    score: 0.6,
    score_kind: 'graded',
    reason: said(''),
    candidates: [],
    traps: [],
    baseline: 0.5,
    target_kind: 'graded',
    floor: 0.5,
    floor_kind: 'sample-submission',
    floor_deviation: 2 / 3,
    measure: 'target',
    target: 0.8,
    threshold: 0.1,
    deviation: 0.25,
    deviation_is_absolute: false,
    within_threshold: false,
    better_than_target: false,
    doubt: null,
    same_as: '',
    perfect: false,
    ...change
  };
}

export function makeEdit(change: Partial<CellEdit> = {}): CellEdit {
  return {
    id: 'e0',
    kind: 'modify',
    cell_id: 'c0',
    after: null,
    cell_type: 'code',
    base_source: '',
    base_hash: 'hash-of-the-base',
    new_source: '',
    reason: '',
    meaning: 'other',
    rules: [],
    link: '',
    changes: [],
    parts: [],
    group: '',
    unseen: false,
    ...change
  };
}

export function makeReview(
  edits: CellEdit[],
  change: Partial<Review> = {},
  proposal: Partial<Proposal> = {}
): Review {
  return {
    proposal: {
      id: 'p1',
      fixer: 'rules',
      model: '',
      fix_type: 'error-repair',
      scope: 'file',
      plan: [],
      edits,
      notes: [],
      usage: noUsage,
      remarks: [],
      ...proposal
    },
    decisions: {},
    final: false,
    adopted: false,
    ...change
  };
}

export function makeIteration(change: Partial<CleanRun> = {}): CleanRun {
  return {
    number: 1,
    started_at: '2026-01-01T00:00:00Z',
    notebook_hash: 'a'.repeat(64),
    kind: 'clean',
    origin: null,
    changed_lines: 0,
    needs_proof: false,
    cut_off: false,
    execution: null,
    grade: null,
    diagnosis: null,
    agreement: null,
    reviews: [],
    spent: noUsage,
    usage: noUsage,
    ...change
  };
}

export function makeRehearsal(
  change: Partial<RehearsalRun> = {}
): RehearsalRun {
  return {
    number: 1,
    started_at: '2026-01-01T00:00:00Z',
    notebook_hash: 'a'.repeat(64),
    kind: 'rehearsal',
    origin: null,
    changed_lines: 0,
    needs_proof: false,
    cut_off: false,
    execution: null,
    diagnosis: null,
    rehearsal: null,
    reviews: [],
    spent: noUsage,
    usage: noUsage,
    ...change
  };
}

/** Return the progress of a run that has just begun. */
export function makeProgress(change: Partial<Progress> = {}): Progress {
  return {
    message: [],
    since: null,
    waiting: false,
    waits_for: null,
    label: [],
    cell_id: null,
    ordinal: null,
    total: null,
    cells_started_at: null,
    time_limit: null,
    errors: [],
    usage: noUsage,
    ...change
  };
}

export function makeSession(change: Partial<Session> = {}): Session {
  return {
    id: '0'.repeat(32),
    path: 'old/titanic.ipynb',
    environment: null,
    lost_files: [],
    missing_packages: [],
    wanted_resources: [],
    own_time: null,
    contrast: null,
    backport: null,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    seq: 1,
    phase: 'ready',
    settings,
    notebook_hash: 'a'.repeat(64),
    progress: null,
    evidence: [],
    era: null,
    printed_scores: [],
    proofs: [],
    proven: '',
    proof_done: false,
    reviews: [],
    iterations: [],
    unrehearsed: said(''),
    best: null,
    probe: null,
    verdict: null,
    worked_seconds: 0,
    message: said(''),
    details: [],
    verification: null,
    noise: null,
    calibrations: [],
    improvement: null,
    writing: null,
    spent: noUsage,
    waiting: null,
    usage: noUsage,
    fixes: 0,
    result: [],
    scored: true,
    ...change
  };
}

/** Return the entry of a session in a list of sessions. */
export function makeSummary(session: Session): SessionSummary {
  const best = session.iterations[(session.best ?? 0) - 1];
  const grade = best && isGraded(best) ? best.grade : null;
  return {
    id: session.id,
    path: session.path,
    phase: session.phase,
    verdict: session.verdict,
    result: session.result,
    created_at: session.created_at,
    updated_at: session.updated_at,
    seq: session.seq,
    fixes: session.fixes,
    runs: session.iterations.length,
    score: grade?.score ?? null
  };
}

/** Return a list of one session, or of none. */
export function makeSessionList(session: Session | null): SessionList {
  const sessions = session ? [makeSummary(session)] : [];
  return { sessions, total: sessions.length, older: null };
}

/** A response of the server. */
export interface IAnswer {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** A recorded request. */
export interface IRequest {
  method: string;
  route: string;
  body: unknown;
}

/** Return a client with a function as its server. */
export function makeClient(
  answer: (request: IRequest) => IAnswer | Promise<IAnswer>
): { client: ModernizerClient; requests: IRequest[] } {
  const requests: IRequest[] = [];
  const serverSettings: ServerConnection.ISettings = {
    baseUrl: 'http://localhost/base/',
    appUrl: '',
    wsUrl: '',
    init: {},
    token: '',
    appendToken: false,
    serializer: { serialize: jest.fn(), deserialize: jest.fn() },
    Request,
    Headers,
    WebSocket,
    fetch: async input => {
      const made = input as Request;
      const text = await made.text();
      const url = new URL(made.url);
      const request = {
        method: made.method,
        route: `${url.pathname}${url.search}`.replace(
          '/base/mle-modernizer/api/',
          ''
        ),
        body: text ? (JSON.parse(text) as unknown) : undefined
      };
      requests.push(request);
      const { body, headers, status = 200 } = await answer(request);
      const isEmpty = status === 204 || status === 304;
      return new Response(
        isEmpty ? null : typeof body === 'string' ? body : JSON.stringify(body),
        { status, headers }
      );
    }
  };
  return {
    client: new ModernizerClient(serverSettings, trans, async reason =>
      messagesText(reason, trans)
    ),
    requests
  };
}

/** Return Jupyter's event bus, and a function that emits on it. */
export function makeHints(): {
  hints: SessionHints;
  emit: (event: Record<string, unknown>) => void;
} {
  const owner = {};
  const stream = new Signal<object, unknown>(owner);
  const events = { stream } as unknown as ConstructorParameters<
    typeof SessionHints
  >[0];
  return {
    hints: new SessionHints(events),
    emit: event => stream.emit({ schema_id: HINT_SCHEMA, ...event })
  };
}

/** Let everything that waits for a response continue. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    await new Promise(resolve => setTimeout(resolve, 0));
  }
}

/** The application with at most one notebook. */
export class FakeModernizer implements IModernizer {
  server: ServerState = { kind: 'ready', info, warning: null };
  current: Modernization | null = null;
  hasNotebook = true;
  preferences = readPreferences(null);
  changed = new Signal<this, void>(this);
  added = new Signal<this, Modernization>(this);
  connect = jest.fn(() => Promise.resolve());
  find = (path: string) =>
    this.current?.document.path === path ? this.current : null;
  panelOf = () => null;
}

/**
 * Return questions that are all answered with yes, except for the overrides.
 */
export function makeQuestions(change: Partial<IQuestions> = {}): IQuestions {
  return {
    runUnisolated: () => Promise.resolve(true),
    runWithNetwork: () => Promise.resolve(true),
    runWithout: () => Promise.resolve(true),
    runFinished: () => Promise.resolve(true),
    deleteSession: () => Promise.resolve(true),
    startOver: () => Promise.resolve(true),
    writePaper: () => Promise.resolve(true),
    sendToModel: () => Promise.resolve('send'),
    ...change
  };
}

/** Return messages in the format of an older server: a plain text. */
export function said(text: string): Message[] {
  return text ? [{ code: 'text', parameters: { text } }] : [];
}
