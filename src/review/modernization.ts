import type { INotebookState } from './finishing';
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
  beforeFinish: INotebookState | null = null;

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

  override dispose(): void {
    if (!this.isDisposed) {
      this.review.dispose();
      this.preflight.dispose();
      this.newCompetition.dispose();
      super.dispose();
    }
  }
}
