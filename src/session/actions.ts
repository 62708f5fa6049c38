import type { ModernizerClient } from '../api/client';
import type {
  Blocks,
  AskFix,
  CreateSession,
  Improve,
  LearnedRules,
  Notebook,
  ServerInfo,
  Session,
  SessionSettings,
  VerificationKind
} from '../api/types';
import { toNotebook } from './document/document';
import type { SessionModel } from './model';
import type { IQuestions } from './options';
import { differ } from './form/settings';
import { currentIteration, shownReview } from './reading';
import { recordTarget } from './document/recorded';
import { tracesOf } from './document/traces';

const MOST_ROUNDS = 20; // questions of one stage, as the server has it

/** The user's actions on a notebook: run, fix, stop, go back. */
export class SessionActions {
  private _isNetworkAllowed = false;

  /**
   * @param _model - Of the notebook.
   * @param _client - The server part's routes.
   * @param _questions - Asks the user.
   */
  constructor(
    private readonly _model: SessionModel,
    private readonly _client: ModernizerClient,
    private readonly _questions: IQuestions
  ) {}

  /**
   * Run the document's current notebook; create the session first if there is
   * none.
   *
   * @param fresh - Begin with the first cell, even if a waiting run could
   *   resume.
   */
  async run(fresh = false): Promise<void> {
    const model = this._model;
    const { settings } = model.checkedDraft;
    if (!settings || model.isWorking || model.isBusy || !model.isPython) {
      return;
    }
    await model.requests.attempt(async () => {
      const waiting = await model.openChanges();
      if (waiting > 0 && !(await this._questions.runWithout(waiting))) {
        return;
      }
      if (!(await mayRunIn(model.info, settings.sandbox, this._questions))) {
        return;
      }
      if (!(await this._mayReachNetwork(settings))) {
        return;
      }
      const agreed = await this._mayAskModel(settings);
      if (!agreed) {
        return;
      }
      const notebook = toNotebook(model.document);
      const session = await this._prepared(agreed, notebook);
      model.take(await this._client.run(session.id, notebook, fresh));
      recordTarget(model.document.shared, agreed);
    });
  }

  /** Run with the server's packages, even if an environment is being prepared. */
  async runWithoutEnvironment(): Promise<void> {
    await this.cancel();
    this._model.edit({ environment: 'server' });
    await this.run();
  }

  /** Run the notebook with access to public web servers, after a question. */
  async runWithNetwork(): Promise<void> {
    if (!this._model.isWorking) {
      this._model.edit({ network: true });
      await this.run();
    }
  }

  /**
   * Run the notebook; ask first if it was modernized already and is unchanged
   * since.
   */
  async modernize(): Promise<void> {
    const { finished, session } = this._model;
    const isDone = finished?.isChanged === false && session === null;
    if (!isDone || (await this._questions.runFinished())) {
      await this.run();
    }
  }

  /** Leave the session, after a question; the next run creates a new one. */
  async startOver(): Promise<void> {
    if (!this._model.isWorking && (await this._questions.startOver())) {
      this._model.startOver();
    }
  }

  /** Delete a session of the notebook, after a question. */
  async deleteSession(id: string, name: string): Promise<void> {
    const { isWorking } = this._model;
    if (!isWorking && (await this._questions.deleteSession(name))) {
      await this._model.deleteSession(id);
    }
  }

  /** Record a score that was computed elsewhere, for the latest run. */
  async typeScore(score: number): Promise<void> {
    if (!this._model.isWorking) {
      await this._take(id => this._client.typeScore(id, score));
    }
  }

  /** Run the best iteration's notebook again; the document is unchanged. */
  async verify(kind: VerificationKind, runs: number): Promise<void> {
    await this._measure(id =>
      this._client.verify(id, { kind, runs, notebook: null })
    );
  }

  /** Measure the noise of the score. */
  async measureNoise(runs: number): Promise<void> {
    await this._measure(id => this._client.measureNoise(id, { runs }));
  }

  /** Measure the effect of silent library changes on the score. */
  async seekCause(): Promise<void> {
    await this._measure(id => this._client.seekCause(id));
  }

  /** Run on shuffled data to show the source of the result. */
  async prove(): Promise<void> {
    await this._measure(id => this._client.prove(id));
  }

  /** Search for a version with a better score; the document is unchanged. */
  async improve(ask: Improve): Promise<void> {
    const { session } = this._model;
    let { refine } = ask;
    if (refine && session) {
      const agreed = await this._mayAskModel(session.settings);
      if (!agreed) {
        return;
      }
      refine = { ...refine, asks_model: agreed.fixers.includes('llm') };
    }
    await this._measure(id => this._client.improve(id, { ...ask, refine }));
  }

  /** Return the parts of the notebook with their roles; null on failure. */
  blocks(): Promise<Blocks | null> {
    return this._get(id => this._client.blocks(id));
  }

  /** Propose a better version for review. */
  async proposeVersion(notebookHash: string): Promise<void> {
    await this._measure(id =>
      this._client.proposeVersion(id, { notebook_hash: notebookHash })
    );
  }

  /**
   * Have a model write the notebook of a paper's experiment, after a question
   * with the estimated cost; the document is unchanged before the review.
   */
  async writeReproduction(): Promise<void> {
    const model = this._model;
    const { settings } = model.checkedDraft;
    if (!settings || model.isWorking || model.isBusy) {
      return;
    }
    await model.requests.attempt(async () => {
      if (!(await mayRunIn(model.info, settings.sandbox, this._questions))) {
        return;
      }
      if (!(await this._mayReachNetwork(settings))) {
        return;
      }
      const notebook = toNotebook(model.document);
      const { id } = await this._prepared(settings, notebook);
      const estimate = await this._client.writingEstimate(id);
      if (await this._questions.writePaper(estimate)) {
        model.take(
          await this._client.writeReproduction(id, {
            notebook,
            rounds: MOST_ROUNDS
          })
        );
      }
    });
  }

  /** Stop the work. */
  async cancel(): Promise<void> {
    if (this._model.isWorking) {
      await this._take(id => this._client.cancel(id));
    }
  }

  /**
   * Request another proposal, with the user's choices; only one kind needs no
   * run.
   */
  async proposeFix(ask: Omit<AskFix, 'notebook'> = {}): Promise<void> {
    const hash =
      this._model.session &&
      currentIteration(this._model.session)?.notebook_hash;
    const { settings } = this._model.checkedDraft;
    const isDue = Boolean(hash) || ask.fix_type === 'before-run';
    if (!isDue || !settings || this._model.isWorking || this._model.isBusy) {
      return;
    }
    await this._model.requests.attempt(async () => {
      const agreed = await this._mayAskModel(settings, ask);
      if (!agreed) {
        return;
      }
      const ran = hash ? await this._model.sources.get(hash) : null;
      const now = this._model.places.named(toNotebook(this._model.document));
      const changed = JSON.stringify(now.cells) !== JSON.stringify(ran?.cells);
      const { id } = await this._prepared(agreed, now);
      const notebook = changed ? now : null;
      const fixers = agreed === settings ? ask.fixers : agreed.fixers;
      this._model.take(
        await this._client.askFix(id, { ...ask, fixers, notebook })
      );
    });
  }

  /**
   * Run the notebook, unchanged, with the original library versions, to find
   * its target.
   */
  async findTarget(): Promise<void> {
    await this._begin(id => this._client.findTarget(id));
  }

  /**
   * Compare the best notebook's cells today with those of the original library
   * versions.
   */
  async compareToday(): Promise<void> {
    await this._measure(id =>
      this._client.compareToday(id, { notebook: null })
    );
  }

  /** Add a kernel with the original library versions to Jupyter's menu. */
  async backport(): Promise<void> {
    await this._measure(id => this._client.backport(id));
  }

  /** Remove that kernel from the menu. */
  async removeBackport(): Promise<void> {
    await this._measure(id => this._client.removeBackport(id));
  }

  /**
   * Return the rules learned from a model's fixes; with an id, save that one
   * first. Null on failure.
   */
  learnedRules(keep?: string): Promise<LearnedRules | null> {
    return this._get(id =>
      keep === undefined
        ? this._client.learnedRules(id)
        : this._client.keepRule(id, keep)
    );
  }

  /**
   * Return the lock file of the original library versions; null if there is
   * none.
   */
  backportLock(): Promise<Blob | null> {
    return this._get(id => this._client.backportLock(id));
  }

  /** Compare silent changes with the old libraries of that name. */
  async compare(oldPython: string): Promise<void> {
    const traces = tracesOf(this._model.document.shared);
    await this._begin((id, notebook) =>
      this._client.probe(id, {
        notebook,
        traces,
        old_python: oldPython,
        rule: null
      })
    );
  }

  /**
   * Request the current proposal again, for the document's current notebook.
   */
  async proposeAgain(): Promise<void> {
    const { session } = this._model;
    const proposal = session && shownReview(session)?.review.proposal;
    if (proposal) {
      const { fix_type, fixer, scope } = proposal;
      if (fix_type === 'improvement') {
        // The old notebook was measured: run the current one first.
        await this.run();
        return;
      }
      if (fix_type === 'writing') {
        await this.writeReproduction();
        return;
      }
      await this.proposeFix({ fix_type, scope, fixers: [fixer] });
    }
  }

  /** Return whether runs may use a network: at most one question. */
  private async _mayReachNetwork(settings: SessionSettings): Promise<boolean> {
    if (settings.network && !this._isNetworkAllowed) {
      this._isNetworkAllowed = await this._questions.runWithNetwork();
      if (!this._isNetworkAllowed) {
        this._model.edit({ network: false });
        return false;
      }
    }
    return true;
  }

  /**
   * Return the settings that the user consents to: unchanged if no model is
   * involved or the user agrees, without the model if only rules may be used;
   * null to do nothing.
   */
  private async _mayAskModel(
    settings: SessionSettings,
    ask: Omit<AskFix, 'notebook'> | null = null
  ): Promise<SessionSettings | null> {
    const { document, info, session } = this._model;
    const fixers = ask?.fixers ?? settings.fixers;
    if (!info.llm.configured || !fixers.includes('llm')) {
      return settings;
    }
    const isKnown = session && currentIteration(session)?.diagnosis;
    const notebook = this._model.places.named(toNotebook(document));
    const answer = await this._questions.sendToModel(
      info.llm,
      isKnown
        ? () => this._client.prompt(session.id, { ...ask, notebook })
        : null
    );
    if (answer !== 'rules-only') {
      return answer === 'send' ? settings : null;
    }
    this._model.edit({ fixers: ['rules'] });
    return { ...settings, fixers: ['rules'] };
  }

  /** Begin work on the session if none is under way. */
  private async _measure(
    start: (id: string) => Promise<Session>
  ): Promise<void> {
    if (!this._model.isWorking && !this._model.isBusy) {
      await this._take(start);
    }
  }

  /** Begin work on the document's notebook, with the form's settings. */
  private async _begin(
    start: (id: string, notebook: Notebook) => Promise<Session>
  ): Promise<void> {
    const model = this._model;
    const { settings } = model.checkedDraft;
    if (!settings || model.isWorking || model.isBusy) {
      return;
    }
    await model.requests.attempt(async () => {
      const notebook = toNotebook(model.document);
      const { id } = await this._prepared(settings, notebook);
      model.take(await start(id, notebook));
    });
  }

  /** Request a change of the session, and take the session as it is then. */
  private async _take(
    request: (id: string) => Promise<Session>
  ): Promise<void> {
    const session = await this._get(request);
    if (session) {
      this._model.take(session);
    }
  }

  /** Return the answer to a request about the session; null on failure. */
  private async _get<Answer>(
    request: (id: string) => Promise<Answer>
  ): Promise<Answer | null> {
    const { session } = this._model;
    let answer: Answer | null = null;
    if (session) {
      await this._model.requests.attempt(async () => {
        answer = await request(session.id);
      });
    }
    return answer;
  }

  /** Return the session with the form's settings. */
  private async _prepared(
    settings: SessionSettings,
    notebook: Notebook
  ): Promise<Session> {
    const session = await prepare(this._client, this._model.session, {
      path: this._model.document.path,
      notebook,
      settings,
      traces: tracesOf(this._model.document.shared)
    });
    this._model.take(session);
    return session;
  }
}

/**
 * Return a session with the form's settings: a new one if there is none, an
 * updated one if the form differs.
 *
 * @param session - The current session, or null.
 * @param wish - Notebook and settings.
 */
async function prepare(
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
 * Return whether a notebook may run in a sandbox: one that does not isolate
 * needs the user's consent.
 *
 * @param name - Of the sandbox; null is the best available one.
 * @param questions - Asks the user.
 */
async function mayRunIn(
  info: ServerInfo,
  name: string | null,
  questions: Pick<IQuestions, 'runUnisolated'>
): Promise<boolean> {
  const wanted = name ?? info.default_sandbox;
  const used = info.sandboxes.find(item => item.name === wanted);
  return !used || used.isolated || questions.runUnisolated(used.name);
}
