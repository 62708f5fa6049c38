import { URLExt } from '@jupyterlab/coreutils';
import { ServerConnection } from '@jupyterlab/services';
import type { TranslationBundle } from '@jupyterlab/translation';

import type {
  AskFix,
  BatchOverview,
  Blocks,
  CompareToday,
  CompetitionGuess,
  CompetitionInfo,
  CreateSession,
  Decide,
  Exchange,
  ExchangeList,
  DetectAnswer,
  DetectRequest,
  Draft,
  DraftRequest,
  EnvironmentReport,
  EnvironmentsRequest,
  ErrorAnswer,
  Estimate,
  EstimateRequest,
  FinishedRun,
  LearnedRules,
  Improve,
  LookAtData,
  ClaimsQuestion,
  CompleteClaims,
  MadeReproduction,
  MakeCompetition,
  MakeReproduction,
  MeasureNoise,
  Message,
  Notebook,
  PagePicture,
  PaperReading,
  Preflight,
  PreflightRequest,
  PromptPreview,
  ProposeVersion,
  ReadPaper,
  ReplacedByFinish,
  ReviewBatchResult,
  ServerInfo,
  Session,
  ShowPage,
  SessionList,
  SessionSettings,
  StartProbe,
  SessionStatistics,
  SessionUpdate,
  Statistics,
  Verify,
  WriteReproduction,
  WritingEstimate
} from './types';

/** Path of the server part's routes, below the server's base URL. */
export const API_ROOT = 'mle-modernizer/api';

/** Number of attempts with a busy server before the error is reported. */
const MOST_ATTEMPTS = 3;

/** The formats of a report. */
export type ReportFormat = 'html' | 'json' | 'markdown';

/**
 * Codes of failures the server part did not name itself.
 */
export namespace FailureCode {
  /** No response. */
  export const NETWORK = 'network';
  /** The routes do not exist: the server part is not installed or not enabled. */
  export const SERVER_MISSING = 'server_missing';
  /** The login ran out, or the user may not do this. */
  export const FORBIDDEN = 'forbidden';
  /** A response that is not the server part's. */
  export const UNEXPECTED = 'unexpected';
}

/** A failed request: a stable code for programs and a sentence for users. */
export class ApiError extends Error {
  constructor(
    message: string,
    /** Stable name of the error. */
    readonly code: string,
    /** HTTP status, 0 if there was no response. */
    readonly status: number,
    /** The cell concerned, or null. */
    readonly cellId: string | null = null
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/**
 * The routes of the server part, typed.
 */
export class ModernizerClient {
  constructor(
    private readonly _settings: ServerConnection.ISettings,
    private readonly _trans: TranslationBundle,
    /** Puts why the server refused into words. */
    private readonly _inWords: (reason: readonly Message[]) => Promise<string>
  ) {}

  /**
   * Return the server's time in milliseconds: its clock may differ from the
   * browser's.
   */
  serverNow(): number {
    return Date.now() + this._clockOffset;
  }

  /**
   * Return version, sandboxes, competitions, and whether a model is configured.
   */
  info(): Promise<ServerInfo> {
    return this._json('GET', 'info');
  }

  /** Detect the competition and the scores that a notebook mentions. */
  detect(body: DetectRequest): Promise<DetectAnswer> {
    return this._json('POST', 'detect', body);
  }

  /** Guess the form of labelled data; nothing is written. */
  lookAtData(body: LookAtData): Promise<CompetitionGuess> {
    return this._json('POST', 'competitions/look', body);
  }

  /** Create a competition of the user's. */
  makeCompetition(body: MakeCompetition): Promise<CompetitionInfo> {
    return this._json('POST', 'competitions', body);
  }

  /** Return the environments a notebook can run with. */
  environments(body: EnvironmentsRequest): Promise<EnvironmentReport> {
    return this._json('POST', 'environments', body);
  }

  /** Predict the failures of a notebook; nothing runs. */
  preflight(body: PreflightRequest): Promise<Preflight> {
    return this._json('POST', 'preflight', body);
  }

  /** Return a first notebook for a competition; nothing is written. */
  draft(body: DraftRequest): Promise<Draft> {
    return this._json('POST', 'drafts', body);
  }

  /** Read a batch's folder, with the notebooks that are new since a stamp. */
  batch(path: string, since: number): Promise<BatchOverview> {
    const query = URLExt.objectToQueryString({ path, since: String(since) });
    return this._json('GET', `batches${query}`);
  }

  /**
   * Create a session of a notebook, with a batch's proposal for it under
   * review.
   */
  reviewBatchResult(body: ReviewBatchResult): Promise<Session> {
    return this._json('POST', 'batches/review', body);
  }

  /**
   * Read a paper's claims and the statements on its method; nothing is written.
   */
  readPaper(body: ReadPaper): Promise<PaperReading> {
    return this._json('POST', 'papers', body);
  }

  /** Return a page of a PDF as a picture; nothing is written. */
  paperPage(body: ShowPage): Promise<PagePicture> {
    return this._json('POST', 'papers/page', body);
  }

  /**
   * Return the text a model would get for a paper's claims, and its cost;
   * nothing is sent.
   */
  claimsQuestion(body: ReadPaper): Promise<ClaimsQuestion> {
    return this._json('POST', 'papers/claims/question', body);
  }

  /**
   * Have a model complete a paper's claims; aborting the request stops the
   * model calls.
   */
  completeClaims(
    body: CompleteClaims,
    signal: AbortSignal
  ): Promise<PaperReading> {
    return this._json('POST', 'papers/claims', body, signal);
  }

  /** Create a notebook next to a paper, to reproduce its claims. */
  makeReproduction(body: MakeReproduction): Promise<MadeReproduction> {
    return this._json('POST', 'papers/notebook', body);
  }

  /**
   * Estimate the cost of a notebook that a model writes for a paper; nothing is
   * sent.
   */
  writingEstimate(id: string): Promise<WritingEstimate> {
    return this._json('GET', `${sessionUrl(id)}/writing`);
  }

  /** Have a model write the notebook of a paper's experiment, for review. */
  writeReproduction(id: string, body: WriteReproduction): Promise<Session> {
    return this._json('POST', `${sessionUrl(id)}/writing`, body);
  }

  /** Estimate the cost of an auto run; nothing runs. */
  estimate(body: EstimateRequest): Promise<Estimate> {
    return this._json('POST', 'estimate', body);
  }

  /**
   * Return the outcomes and costs of fixes over many sessions.
   *
   * @param path - Beginning of the notebooks' paths; empty for all.
   */
  statistics(path = ''): Promise<Statistics> {
    const query = path ? URLExt.objectToQueryString({ path }) : '';
    return this._json('GET', `statistics${query}`);
  }

  /** Return the statistics of one session. */
  sessionStatistics(id: string): Promise<SessionStatistics> {
    return this._json('GET', `${sessionUrl(id)}/statistics`);
  }

  /**
   * List the sessions of a notebook, newest first; at most 100, with `before`
   * older ones.
   */
  sessions(path: string, before?: number): Promise<SessionList> {
    const query = URLExt.objectToQueryString({
      path,
      ...(before === undefined ? {} : { before })
    });
    return this._json('GET', `sessions${query}`);
  }

  /** Delete a session and all its data. */
  async forget(id: string): Promise<void> {
    await this._sound('DELETE', sessionUrl(id));
  }

  /** Create a session; nothing runs yet. */
  create(body: CreateSession): Promise<Session> {
    return this._json('POST', 'sessions', body);
  }

  /**
   * Read a session's current state.
   *
   * @param known - The session as last read: only later changes are sent.
   * @returns The session, or null if nothing changed since.
   */
  async session(id: string, known?: Session): Promise<Session | null> {
    const query = known ? `?since=${known.seq}` : '';
    const response = await this._request('GET', `${sessionUrl(id)}${query}`);
    if (response.status === 304) {
      return null;
    }
    return known
      ? updated(known, await this._body<SessionUpdate>(response))
      : this._body<Session>(response);
  }

  /** Change the settings; refused while work is under way. */
  changeSettings(id: string, settings: SessionSettings): Promise<Session> {
    return this._json('PATCH', sessionUrl(id), { settings });
  }

  /** Run, grade, diagnose, and propose a fix if one is due. */
  run(id: string, notebook: Notebook, fresh = false): Promise<Session> {
    return this._json('POST', `${sessionUrl(id)}/runs`, { notebook, fresh });
  }

  /** Record a score that was computed elsewhere, for the latest run. */
  typeScore(id: string, score: number): Promise<Session> {
    return this._json('POST', `${sessionUrl(id)}/scores`, { score });
  }

  /** Request another proposal for the latest iteration. */
  askFix(id: string, body: AskFix): Promise<Session> {
    return this._json('POST', `${sessionUrl(id)}/fixes`, body);
  }

  /** Compare silent changes with old libraries. */
  probe(id: string, body: StartProbe): Promise<Session> {
    return this._json('POST', `${sessionUrl(id)}/probe`, body);
  }

  /** Return the text a model would get for a fix; nothing is sent. */
  prompt(id: string, body: AskFix): Promise<PromptPreview> {
    return this._json('POST', `${sessionUrl(id)}/prompt`, body);
  }

  /** Return the requests sent to models, oldest first. */
  exchanges(id: string): Promise<ExchangeList> {
    return this._json('GET', `${sessionUrl(id)}/exchanges`);
  }

  /** Return the requests and responses of a proposal. */
  exchange(id: string, proposal: string): Promise<Exchange> {
    const name = encodeURIComponent(proposal);
    return this._json('GET', `${sessionUrl(id)}/proposals/${name}/exchange`);
  }

  /** Run a notebook again, each time in a fresh kernel, and test its scores. */
  verify(id: string, body: Verify): Promise<Session> {
    return this._json('POST', `${sessionUrl(id)}/verify`, body);
  }

  /** Measure the noise of the score, with other seeds. */
  measureNoise(id: string, body: MeasureNoise): Promise<Session> {
    return this._json('POST', `${sessionUrl(id)}/noise`, body);
  }

  /** Measure the effect of silent library changes on the score. */
  seekCause(id: string): Promise<Session> {
    return this._json('POST', `${sessionUrl(id)}/cause`);
  }

  /** Run on shuffled data to show the source of the result. */
  prove(id: string): Promise<Session> {
    return this._json('POST', `${sessionUrl(id)}/proof`);
  }

  /** Compare changed versions of the notebook with it on validation folds. */
  improve(id: string, body: Improve): Promise<Session> {
    return this._json('POST', `${sessionUrl(id)}/improve`, body);
  }

  /**
   * Return the parts of the notebook that would be improved, with the role of
   * each.
   */
  blocks(id: string): Promise<Blocks> {
    return this._json('GET', `${sessionUrl(id)}/blocks`);
  }

  /** Put a version up for review that was better. */
  proposeVersion(id: string, body: ProposeVersion): Promise<Session> {
    return this._json('POST', `${sessionUrl(id)}/improve/proposal`, body);
  }

  /** Run the notebook, unchanged, with the original library versions. */
  findTarget(id: string): Promise<Session> {
    return this._json('POST', `${sessionUrl(id)}/target`);
  }

  /**
   * Compare a notebook's outputs today with those of the original library
   * versions.
   */
  compareToday(id: string, body: CompareToday): Promise<Session> {
    return this._json('POST', `${sessionUrl(id)}/contrast`, body);
  }

  /** Add a kernel with the original library versions to Jupyter's menu. */
  backport(id: string): Promise<Session> {
    return this._json('POST', `${sessionUrl(id)}/backport`);
  }

  /** Remove that kernel from the menu. */
  removeBackport(id: string): Promise<Session> {
    return this._json('DELETE', `${sessionUrl(id)}/backport`);
  }

  /** Return the rules learned from a session's fixes by a model. */
  learnedRules(id: string): Promise<LearnedRules> {
    return this._json('GET', `${sessionUrl(id)}/rules`);
  }

  /** Save one of them into the user's folder of rules on the server. */
  keepRule(id: string, rule: string): Promise<LearnedRules> {
    return this._json('POST', `${sessionUrl(id)}/rules`, { id: rule });
  }

  /** Return the lock file of the original library versions. */
  async backportLock(id: string): Promise<Blob> {
    return (await this._sound('GET', `${sessionUrl(id)}/backport/lock`)).blob();
  }

  /** Record the decisions on a proposal's edits. */
  decide(id: string, proposal: string, body: Decide): Promise<Session> {
    const review = encodeURIComponent(proposal);
    return this._json(
      'POST',
      `${sessionUrl(id)}/reviews/${review}/decisions`,
      body
    );
  }

  /** Stop the current work. */
  cancel(id: string): Promise<Session> {
    return this._json('POST', `${sessionUrl(id)}/cancel`);
  }

  /** Return the sources of an iteration or of the start. */
  notebook(id: string, hash: string): Promise<Notebook> {
    return this._json(
      'GET',
      `${sessionUrl(id)}/notebooks/${encodeURIComponent(hash)}`
    );
  }

  /**
   * Return all data that finishing the notebook puts into it, from the best
   * run.
   */
  finish(id: string): Promise<FinishedRun> {
    return this._json('GET', `${sessionUrl(id)}/finish`);
  }

  /** Store the state that finishing the notebook replaces. */
  async keepReplaced(id: string, body: ReplacedByFinish): Promise<void> {
    await this._sound('PUT', `${sessionUrl(id)}/finish/replaced`, body);
  }

  /**
   * Return the state that finishing the notebook replaced; null if not stored.
   */
  async replaced(id: string): Promise<ReplacedByFinish | null> {
    const route = `${sessionUrl(id)}/finish/replaced`;
    const response = await this._request('GET', route);
    return response.status === 404 ? null : this._body(response);
  }

  /** Return the report as a file. */
  async report(id: string, format: ReportFormat): Promise<Blob> {
    const route = `${sessionUrl(id)}/report?format=${format}`;
    return (await this._sound('GET', route)).blob();
  }

  /** Return the response to a request; throw if the server refused it. */
  private async _sound(
    method: string,
    route: string,
    body?: unknown
  ): Promise<Response> {
    const response = await this._request(method, route, body);
    if (!response.ok) {
      throw await this._error(response);
    }
    return response;
  }

  private async _json<T>(
    method: string,
    route: string,
    body?: unknown,
    signal?: AbortSignal
  ): Promise<T> {
    return this._body(await this._request(method, route, body, signal));
  }

  private async _request(
    method: string,
    route: string,
    body?: unknown,
    signal?: AbortSignal
  ): Promise<Response> {
    const url = URLExt.join(this._settings.baseUrl, API_ROOT) + `/${route}`;
    const init: RequestInit = { method, signal };
    if (body !== undefined) {
      init.body = JSON.stringify(body);
      init.headers = { 'Content-Type': 'application/json' };
    }
    let response: Response;
    try {
      response = await this._unlessBusy(() =>
        ServerConnection.makeRequest(url, init, this._settings)
      );
    } catch {
      throw new ApiError(
        this._trans.__(
          'The Jupyter server does not answer. Check that it still runs, then try again.'
        ),
        FailureCode.NETWORK,
        0
      );
    }
    this._readClock(response);
    return response;
  }

  /** Repeat a request that a busy server refused, after the time in its header. */
  private async _unlessBusy(ask: () => Promise<Response>): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const response = await ask();
      const seconds = Number(response.headers.get('Retry-After'));
      const isBusy = response.status === 503 && seconds > 0;
      if (!isBusy || attempt === MOST_ATTEMPTS) {
        return response;
      }
      await new Promise(resolve => setTimeout(resolve, 1000 * seconds));
    }
  }

  private async _body<T>(response: Response): Promise<T> {
    if (!response.ok) {
      throw await this._error(response);
    }
    try {
      return (await response.json()) as T;
    } catch {
      throw new ApiError(
        this._trans.__(
          'The server sent an answer that cannot be read. Reload the page and try again.'
        ),
        FailureCode.UNEXPECTED,
        response.status
      );
    }
  }

  /**
   * Return the server's reason for a refusal: in the panel's words, or in its
   * own.
   */
  private async _reason(body: Record<string, unknown>): Promise<string> {
    const { reason, message } = body as Partial<ErrorAnswer>;
    return reason?.length ? this._inWords(reason) : (message ?? '');
  }

  private async _error(response: Response): Promise<ApiError> {
    const { status } = response;
    const body: unknown = await response.json().catch(() => null);
    if (isRecord(body) && typeof body.code === 'string') {
      return new ApiError(
        (await this._reason(body)) ||
          this._trans.__('The server refused this without a reason.'),
        body.code,
        status,
        typeof body.cell_id === 'string' ? body.cell_id : null
      );
    }
    if (status === 404) {
      return new ApiError(
        this._trans.__(
          'The server part of MLE Modernizer is missing. Install it with "pip install mle-modernizer" in the server\'s environment, check it with "jupyter server extension list", and restart the server.'
        ),
        FailureCode.SERVER_MISSING,
        status
      );
    }
    if (status === 401 || status === 403) {
      return new ApiError(
        this._trans.__(
          'The server does not let you do this. Log in again; if that does not help, ask whoever runs the server.'
        ),
        FailureCode.FORBIDDEN,
        status
      );
    }
    return new ApiError(
      this._trans.__(
        'The server failed with status %1. Its log says more.',
        status
      ),
      FailureCode.UNEXPECTED,
      status
    );
  }

  private _readClock(response: Response): void {
    const date = Date.parse(response.headers.get('Date') ?? '');
    if (Number.isNaN(date)) {
      return;
    }
    const offset = date - Date.now();
    // The header counts whole seconds: ignore a small difference.
    this._clockOffset = Math.abs(offset) < 2000 ? 0 : offset;
  }

  private _clockOffset = 0;
}

/**
 * Return a session with an update applied; unchanged parts stay the same
 * objects.
 */
function updated(known: Session, update: SessionUpdate): Session {
  const iterations = [...known.iterations];
  for (const iteration of update.iterations) {
    iterations[iteration.number - 1] = iteration;
  }
  return { ...known, ...update.changed, iterations };
}

function sessionUrl(id: string): string {
  return `sessions/${encodeURIComponent(id)}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
