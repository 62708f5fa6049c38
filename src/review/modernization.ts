import { fromReplaced, type INotebookState } from './finishing';
import type { ISessionOptions } from '../session/options';
import { SessionActions } from '../session/actions';
import { NewCompetitionModel } from '../session/form/newCompetition';
import { SessionModel } from '../session/model';
import { PreflightModel } from '../session/preflight';
import { ReviewModel } from './model';
import { restore } from './restore';

/**
 * The modernization of one open notebook: its session, what can be done with it, and the review of
 * what is proposed for it.
 */
export class Modernization extends SessionModel {
  constructor(options: ISessionOptions) {
    super(options);
    const { client, questions } = options;
    this.actions = new SessionActions(this, client, questions);
    this.review = new ReviewModel({ model: this, client });
    this.preflight = new PreflightModel({
      model: this,
      actions: this.actions,
      client
    });
    this.newCompetition = new NewCompetitionModel({ model: this, client });
  }

  /** What can be done with it. */
  readonly actions: SessionActions;

  /** The proposal under review. */
  readonly review: ReviewModel;

  /** What will break before the first run. */
  readonly preflight: PreflightModel;

  /** A competition that is made of labelled data. */
  readonly newCompetition: NewCompetitionModel;

  /** What stood in the notebook before it was finished, as long as that can be taken back. */
  get beforeFinish(): INotebookState | null {
    return this._beforeFinish;
  }

  set beforeFinish(state: INotebookState | null) {
    this._beforeFinish = state;
    this.documentWasRead();
  }

  /** Looks for the notebook's session, and for what finishing it replaced. */
  override async load(): Promise<void> {
    await super.load();
    const { finished, isLoaded, problem } = this;
    const id = finished?.provenance.session ?? '';
    if (isLoaded && !problem && !finished?.isChanged && SESSION.test(id)) {
      await this.requests.attempt(() => this._readReplaced(id));
    }
  }

  /**
   * Brings the sources of an iteration back into the document, as one step to undo.
   *
   * @param number - Of the iteration; 0 is the notebook the session began with.
   * @returns How many cells changed.
   */
  async restore(number: number): Promise<number> {
    let count = 0;
    await this.requests.attempt(async () => {
      const earlier = await this.sources.ofIteration(number);
      count = restore(this.document.shared, this.places, earlier);
    });
    return count;
  }

  /** Reads what the server kept of the notebook, if that is of the same finish. */
  private async _readReplaced(id: string): Promise<void> {
    const replaced = await this._client.replaced(id);
    const time = this.finished?.provenance.finished_at ?? '';
    const isOfIt = replaced && sameTime(replaced.finished_at, time);
    if (isOfIt && !this._beforeFinish) {
      this.beforeFinish = fromReplaced(this.document.shared, replaced);
    }
  }

  override dispose(): void {
    if (!this.isDisposed) {
      this.review.dispose();
      this.preflight.dispose();
      this.newCompetition.dispose();
      super.dispose();
    }
  }
  private _beforeFinish: INotebookState | null = null;
}

/** The id of a session, as a notebook's metadata may name one: anybody may have written them. */
const SESSION = /^[0-9a-f]{32}$/;

function sameTime(one: string, other: string): boolean {
  return Date.parse(one) === Date.parse(other);
}
