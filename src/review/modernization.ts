import { fromReplaced, type INotebookState } from './finishing';
import type { ISessionOptions } from '../session/options';
import { SessionActions } from '../session/actions';
import { NewCompetitionModel } from '../session/form/newCompetition';
import { SessionModel } from '../session/model';
import { PreflightModel } from '../session/preflight';
import { ReviewModel } from './model';
import { restore } from './restore';

/**
 * The modernization of one open notebook: its session, the possible actions,
 * and the review of the proposal.
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

  /** The possible actions. */
  readonly actions: SessionActions;

  /** The proposal under review. */
  readonly review: ReviewModel;

  /** Failures predicted before the first run. */
  readonly preflight: PreflightModel;

  /** A new competition from labelled data. */
  readonly newCompetition: NewCompetitionModel;

  /**
   * The state of the notebook from before it was finished, as long as it can be
   * restored.
   */
  get beforeFinish(): INotebookState | null {
    return this._beforeFinish;
  }

  set beforeFinish(state: INotebookState | null) {
    this._beforeFinish = state;
    this.documentWasRead();
  }

  /** Look up the notebook's session, and the state that finishing replaced. */
  override async load(): Promise<void> {
    await super.load();
    const { finished, isLoaded, problem } = this;
    const id = finished?.provenance.session ?? '';
    if (isLoaded && !problem && !finished?.isChanged && SESSION.test(id)) {
      await this.requests.attempt(() => this._readReplaced(id));
    }
  }

  /** Wait until all decisions are recorded, then count what is open. */
  override async openChanges(): Promise<number> {
    await this.review.recorded();
    return this.review.open;
  }

  /**
   * Restore the sources of an iteration in the document, as one undo step.
   *
   * @param number - Of the iteration; 0 is the notebook at the session's start.
   * @returns Number of changed cells.
   */
  async restore(number: number): Promise<number> {
    let count = 0;
    await this.requests.attempt(async () => {
      const earlier = await this.sources.ofIteration(number);
      count = restore(this.document.shared, this.places, earlier);
    });
    return count;
  }

  /** Read the state stored on the server, if it belongs to the same finish. */
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

/**
 * The id of a session in a notebook's metadata, which anybody may have written.
 */
const SESSION = /^[0-9a-f]{32}$/;

function sameTime(one: string, other: string): boolean {
  return Date.parse(one) === Date.parse(other);
}
