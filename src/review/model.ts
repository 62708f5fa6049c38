import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';

import { ApiError, type ModernizerClient } from '../api/client';
import type {
  CellEdit,
  Decision,
  EditState,
  Iteration,
  Review
} from '../api/types';
import { editState, shownReview } from '../session/reading';
import type { SessionModel } from '../session/model';
import {
  applyAll,
  applyChange,
  type ApplyResult,
  type DocumentChange,
  fits,
  fitTogether
} from './apply';
import { changeFor, type EditStatus, type IEditView } from './change';
import { Consent, needsYes } from './consent';
import {
  acceptHunk,
  type IStagedText,
  openHunks,
  rejectHunk,
  stage
} from './hunks';

/**
 * The review of one proposal: which edit is looked at, what was decided on which hunk, and the way
 * of an accepted edit into the document.
 */
export class ReviewModel implements IDisposable {
  constructor(options: ReviewModel.IOptions) {
    this._model = options.model;
    this._client = options.client;
    this._model.sessionChanged.connect(this._onChange, this);
    this._model.documentChanged.connect(this._onChange, this);
  }

  /** Emitted when the person moved to another edit; carries whether the focus goes there. */
  get selected(): ISignal<this, { editId: string | null; focus: boolean }> {
    return this._selected;
  }

  /** Emitted when any of it changed: the proposal, a decision, or the cells it speaks of. */
  get changed(): ISignal<this, void> {
    return this._changed;
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  /** The review that is shown, with the iteration it belongs to. */
  get shown(): { iteration: Iteration | null; review: Review } | null {
    const { session } = this._model;
    return session ? shownReview(session) : null;
  }

  /** Whether decisions can be made right now. */
  get isEnabled(): boolean {
    return !this._model.isWorking && !this._isDeciding;
  }

  /** The edits of the review. */
  get edits(): IEditView[] {
    const review = this.shown?.review;
    return review ? review.proposal.edits.map(edit => this._view(edit)) : [];
  }

  /** The edits that wait for a decision, also where their cells have changed. */
  get undecided(): IEditView[] {
    return this.edits.filter(view => view.isOpen);
  }

  /** The edit that is looked at. */
  get current(): IEditView | null {
    const { edits } = this;
    return (
      edits.find(view => view.edit.id === this._currentId) ??
      edits.find(view => view.status === 'pending') ??
      null
    );
  }

  /** Looks at an edit. */
  select(editId: string, focus = false): void {
    this._currentId = editId;
    this._selected.emit({ editId, focus });
    this._changed.emit();
  }

  /** Looks at the next (1) or previous (-1) edit; the end leads to the beginning. */
  step(direction: 1 | -1): void {
    const { edits, current } = this;
    if (edits.length === 0) {
      return;
    }
    const at = edits.findIndex(view => view.edit.id === current?.edit.id);
    const next = (at + direction + edits.length) % edits.length;
    this.select(edits[next].edit.id, true);
  }

  /** Gives or takes back the yes to an edit that changes the experiment. */
  consent(editId: string, isGiven: boolean): void {
    this._consent.set(this._key(editId), isGiven);
    this._changed.emit();
  }

  /** Accepts an edit: what of it is not rejected goes into the document. */
  async accept(editId: string): Promise<void> {
    const view = this._pendingView(editId);
    if (!view) {
      return;
    }
    if (view.consent === 'missing') {
      return this.select(editId, true);
    }
    const { staged } = view;
    if (staged.rejected > 0 && staged.proposed === view.edit.base_source) {
      return this.reject(editId);
    }
    const change = this._change(view);
    if (!change || !fits(this._model.places.live(), change)) {
      return this._decide({ [editId]: decision('stale') });
    }
    await this._decide({ [editId]: accepted(view) }, () => [
      [editId, applyChange(this._model.document.shared, change)]
    ]);
  }

  /** Rejects an edit: the document stays as it is. */
  async reject(editId: string): Promise<void> {
    if (this._pendingView(editId)) {
      await this._decide({ [editId]: decision('rejected') });
    }
  }

  /**
   * Accepts all edits that wait, as one step to undo; what changes the experiment only where the
   * person said yes to it.
   */
  async acceptAll(): Promise<void> {
    const views = this.undecided.filter(view => view.consent !== 'missing');
    const changes = this._changes(views);
    const fitting = fitTogether(
      this._model.places.live(),
      changes.map(([, change]) => change)
    );
    const decisions: Record<string, Decision> = {};
    for (const view of views) {
      decisions[view.edit.id] = decision('stale');
    }
    const chosen = changes.filter((_, index) => fitting[index]);
    for (const [view] of chosen) {
      decisions[view.edit.id] = accepted(view);
    }
    await this._decide(decisions, () => {
      const results = applyAll(
        this._model.document.shared,
        chosen.map(([, change]) => change)
      );
      return chosen.map(([view], index) => [view.edit.id, results[index]]);
    });
  }

  /** Rejects all edits that wait. */
  async rejectAll(): Promise<void> {
    await this._decide(
      Object.fromEntries(
        this.undecided.map(view => [view.edit.id, decision('rejected')])
      )
    );
  }

  /** Accepts one of an edit's waiting hunks; the last decision decides the edit. */
  async acceptHunk(editId: string, index: number): Promise<void> {
    await this._decideHunk(editId, staged => acceptHunk(staged, index));
  }

  /** Rejects one of an edit's waiting hunks; the last decision decides the edit. */
  async rejectHunk(editId: string, index: number): Promise<void> {
    await this._decideHunk(editId, staged => rejectHunk(staged, index));
  }

  /** Puts an accepted edit that was undone in the document back into it. */
  applyAgain(editId: string): void {
    const view = this.edits.find(item => item.edit.id === editId);
    const change = view?.status === 'undone' ? this._change(view) : null;
    if (change) {
      applyChange(this._model.document.shared, change);
      this._changed.emit();
    }
  }

  dispose(): void {
    this._isDisposed = true;
    this._model.sessionChanged.disconnect(this._onChange, this);
    this._model.documentChanged.disconnect(this._onChange, this);
    Signal.clearData(this);
  }

  private _onChange(): void {
    this._changed.emit();
  }

  private _pendingView(editId: string): IEditView | null {
    const view = this.edits.find(item => item.edit.id === editId);
    return view?.isOpen && this.isEnabled ? view : null;
  }

  private _view(edit: CellEdit): IEditView {
    const review = this.shown?.review;
    const key = this._key(edit.id);
    let staged = this._staged.get(key);
    if (!staged) {
      staged = stage(edit.base_source, edit.new_source);
      this._staged.set(key, staged);
    }
    const place = this._model.places.find(edit.cell_id);
    const status = review ? editState(review, edit.id) : 'pending';
    const view: IEditView = {
      edit,
      status,
      isOpen: status === 'pending',
      isPartial: review?.decisions[edit.id]?.partial ?? false,
      staged,
      open: openHunks(staged),
      place,
      consent: this._consentTo(edit)
    };
    return { ...view, status: this._status(view) };
  }

  private _consentTo(edit: CellEdit): IEditView['consent'] {
    if (!needsYes(edit, this._model.session?.settings)) {
      return 'not-needed';
    }
    return this._consent.has(this._key(edit.id)) ? 'given' : 'missing';
  }

  private _status(view: IEditView): EditStatus {
    const { status } = view;
    if (status !== 'pending' && status !== 'accepted') {
      return status;
    }
    const change = this._change(view);
    const fresh = change !== null && fits(this._model.places.live(), change);
    if (status === 'accepted') {
      const isKnown = !view.isPartial || view.staged.rejected > 0;
      return fresh && isKnown ? 'undone' : 'accepted';
    }
    // An insertion may wait for the cell it follows, which is proposed as well.
    return fresh || view.edit.kind === 'insert' ? 'pending' : 'stale';
  }

  private async _decideHunk(
    editId: string,
    take: (staged: IStagedText) => IStagedText
  ): Promise<void> {
    const view = this._pendingView(editId);
    if (!view || view.consent === 'missing') {
      return;
    }
    const staged = take(view.staged);
    this._staged.set(this._key(editId), staged);
    if (openHunks(staged) === 0) {
      await (staged.accepted > 0 ? this.accept(editId) : this.reject(editId));
    }
    this._changed.emit();
  }

  /**
   * Tells the server what was decided, then touches the document, then tells the server where that
   * did not work out.
   */
  private async _decide(
    decisions: Record<string, Decision>,
    apply?: () => [string, ApplyResult][]
  ): Promise<void> {
    const shown = this.shown;
    const { session } = this._model;
    if (!shown || !session || Object.keys(decisions).length === 0) {
      return;
    }
    if (!this.isEnabled) {
      return;
    }
    const { proposal } = shown.review;
    const hashes = proposal.edits
      .filter(edit => decisions[edit.id]?.state === 'accepted')
      .map(edit => [edit.id, edit.base_hash]);
    const send = async (body: Record<string, Decision>) =>
      this._model.take(
        await this._client.decide(session.id, proposal.id, {
          decisions: body,
          source_hashes: Object.fromEntries(hashes)
        })
      );
    const decided = Object.keys(decisions);
    this._isDeciding = true;
    this._changed.emit();
    try {
      await send(decisions);
      const results = apply?.() ?? [];
      const bad = results.filter(([, result]) => result !== 'applied');
      if (bad.length > 0) {
        await send(
          Object.fromEntries(
            bad.map(([id, result]) => [
              id,
              decision(result === 'stale' ? 'stale' : 'failed')
            ])
          )
        );
      }
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) {
        await this._model.refresh();
      }
      this._model.report(error);
    } finally {
      this._isDeciding = false;
    }
    this._moveOn(decided);
  }

  /** Looks at the next edit that waits, behind the ones that were just decided. */
  private _moveOn(decided: readonly string[]): void {
    const { edits } = this;
    const last = edits.findIndex(
      view => view.edit.id === decided[decided.length - 1]
    );
    const ahead = [...edits.slice(last + 1), ...edits.slice(0, last + 1)];
    const next = ahead.find(view => view.status === 'pending');
    this._currentId = next?.edit.id ?? this._currentId;
    this._selected.emit({ editId: next?.edit.id ?? null, focus: true });
    this._changed.emit();
  }

  private _changes(
    views: readonly IEditView[]
  ): (readonly [IEditView, DocumentChange])[] {
    return views.flatMap(view => {
      const change = this._change(view);
      return change ? [[view, change] as const] : [];
    });
  }

  private _change(view: IEditView): DocumentChange | null {
    const review = this.shown?.review;
    return review
      ? changeFor(view, review, id => this._model.places.find(id))
      : null;
  }

  private _key(editId: string): string {
    return `${this.shown?.review.proposal.id ?? ''}/${editId}`;
  }

  private readonly _model: SessionModel;
  private readonly _client: ReviewModel.IClient;
  private readonly _consent = new Consent();
  private readonly _staged = new Map<string, IStagedText>();
  private readonly _selected = new Signal<
    this,
    { editId: string | null; focus: boolean }
  >(this);
  private readonly _changed = new Signal<this, void>(this);
  private _currentId: string | null = null;
  private _isDeciding = false;
  private _isDisposed = false;
}

/**
 * Names around {@link ReviewModel}.
 */
export namespace ReviewModel {
  /** What it needs of the client. */
  export type IClient = Pick<ModernizerClient, 'decide'>;

  /** What it is made from. */
  export interface IOptions {
    /** The notebook's modernization. */
    model: SessionModel;
    /** Records decisions. */
    client: IClient;
  }
}

function decision(state: EditState): Decision {
  return { state, partial: false, confirmed: false };
}

function accepted(view: IEditView): Decision {
  return {
    state: 'accepted',
    partial: view.staged.rejected > 0,
    confirmed: view.consent === 'given'
  };
}
