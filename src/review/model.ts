import type { ISharedCell } from '@jupyter/ydoc';
import type * as nbformat from '@jupyterlab/nbformat';
import type { TranslationBundle } from '@jupyterlab/translation';
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
import { currentIteration, editState, shownReview } from '../session/reading';
import type { SessionModel } from '../session/model';
import {
  applyAll,
  applyChange,
  type ApplyResult,
  type DocumentChange,
  fitTogether
} from './apply';
import {
  anchorOf,
  type HunkState,
  type IEditChange,
  type IEditView
} from './change';
import { Consent, needsYes } from './consent';
import { replaceLines } from './hunks';
import { groupByRule, type IRuleView } from './rules';
import { EditLook } from './look';

/** A user's decision on a hunk: accept, reject, or reconsider. */
export type Wish = 'accepted' | 'rejected' | 'pending';

/** Requested decisions on hunks of one edit, by the number of the hunk. */
type HunkWishes = ReadonlyMap<number, Wish>;

/** Decisions that are taken together, by edit id: one undo step. */
type Step = ReadonlyMap<string, HunkWishes>;

/** A decision that can be taken back. */
interface IDone {
  /** The proposal. */
  proposal: string;
  /** What was decided on the same hunks before. */
  before: Step;
}

/** A place to stop at while walking through the review. */
export interface IStop {
  /** The edit. */
  view: IEditView;
  /** Number of its hunk; 0 if the edit is decided as a whole. */
  hunk: number;
  /** Whether the edit is decided as a whole. */
  isWhole: boolean;
}

/**
 * The review of one proposal: the current hunk, the decision on each hunk, and
 * the transfer of accepted hunks to the document.
 *
 * A decision is taken in the browser at once. The server stores one decision an
 * edit: it is notified after the decision on the last of its hunks, of all
 * decisions made since the previous request together. Then the document is
 * changed, unless another user was faster.
 */
export class ReviewModel implements IDisposable {
  constructor(options: ReviewModel.IOptions) {
    this._model = options.model;
    this._client = options.client;
    this._model.document.changed.connect(this._forget, this);
    this._model.sessionChanged.connect(this._onChange, this);
    this._model.documentChanged.connect(this._onChange, this);
  }

  /**
   * Emitted when the user moved to another place; carries where the focus
   * goes.
   */
  get selected(): ISignal<this, ReviewModel.ISelection> {
    return this._selected;
  }

  /**
   * Emitted after a change of the proposal, a decision, or the cells concerned.
   */
  get changed(): ISignal<this, void> {
    return this._changed;
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  /** The visible review, with its iteration. */
  get shown(): { iteration: Iteration | null; review: Review } | null {
    const { session } = this._model;
    return session ? shownReview(session) : null;
  }

  /** Whether decisions are possible now. */
  get isEnabled(): boolean {
    return !this._model.isWorking;
  }

  /** The edits of the review. */
  get edits(): readonly IEditView[] {
    if (!this._edits) {
      const review = this.shown?.review;
      this._edits = review?.proposal.edits.map(edit => this._view(edit)) ?? [];
    }
    return this._edits;
  }

  /** The edits that wait for a decision, also if their cells have changed. */
  get undecided(): IEditView[] {
    return this.edits.filter(view => view.isOpen);
  }

  /**
   * The changes of each rule over all cells, including rules with nothing left
   * to decide.
   */
  get rules(): readonly IRuleView[] {
    if (!this._rules) {
      this._rules = groupByRule(this.edits);
    }
    return this._rules;
  }

  /** The places to stop at: each hunk, or the whole edit, in order. */
  get stops(): readonly IStop[] {
    this._stops ??= this.edits.flatMap(view => this._stopsOf(view));
    return this._stops;
  }

  /** Number of places that wait for a decision, also if their cells have changed. */
  get open(): number {
    return this.stops.filter(isOpen).length;
  }

  /** How many places have a decision, in words. */
  countText(trans: TranslationBundle): string {
    const { open, stops } = this;
    return trans.__('%1 of %2 reviewed', stops.length - open, stops.length);
  }

  /** Whether there is more to decide than one hunk, or edits that need each other. */
  get hasSeveral(): boolean {
    const decisions = this.stops.map(
      ({ hunk, view }) => view.edit.group || `${view.edit.id}/${hunk}`
    );
    return new Set(decisions).size > 1;
  }

  /** The place that is looked at. */
  get position(): IStop | null {
    const { stops } = this;
    const { _at } = this;
    const ofEdit = _at && stops.filter(({ view }) => view.edit.id === _at.edit);
    return (
      ofEdit?.find(({ hunk }) => hunk === _at?.hunk) ??
      ofEdit?.[0] ??
      stops.find(isWaiting) ??
      stops[0] ??
      null
    );
  }

  /** The edit that is looked at. */
  get current(): IEditView | null {
    return this.position?.view ?? null;
  }

  /** Whether hunks of cells are visited one by one; otherwise whole edits. */
  get isByHunk(): boolean {
    return this._isByHunk;
  }

  set isByHunk(isByHunk: boolean) {
    this._isByHunk = isByHunk;
    this._stops = null;
  }

  /** Number of edits whose decisions are on their way to the server. */
  get sending(): number {
    return new Set(this._steps.flatMap(step => [...step.keys()])).size;
  }

  /** Wait until the server has all decisions. */
  async recorded(): Promise<void> {
    await this._flushing;
  }

  /** Whether a decision can be taken back. */
  get canUndo(): boolean {
    return this.isEnabled && this._lastDecided() !== null;
  }

  /** Return an edit by its id. */
  find(editId: string): IEditView | null {
    return this.edits.find(view => view.edit.id === editId) ?? null;
  }

  /** Return the edits that an edit needs and that need it, itself included. */
  groupOf(editId: string): readonly IEditView[] {
    const view = this.find(editId);
    if (!view) {
      return [];
    }
    const { group } = view.edit;
    return group === ''
      ? [view]
      : this.edits.filter(item => item.edit.group === group);
  }

  /**
   * Make an edit the current one.
   *
   * @param focus - Where the focus goes.
   * @param hunk - The hunk to look at, otherwise the first that waits.
   */
  select(
    editId: string,
    focus: ReviewModel.Focus = 'none',
    hunk?: number
  ): void {
    const stops = this.stops.filter(({ view }) => view.edit.id === editId);
    const stop =
      stops.find(item => item.hunk === hunk) ??
      stops.find(isWaiting) ??
      stops[0];
    this._at = { edit: editId, hunk: stop?.hunk ?? 0 };
    this._selected.emit({ editId, hunk: this._at.hunk, focus });
    this._changed.emit();
  }

  /** Go to the first place that waits. */
  begin(focus: ReviewModel.Focus = 'move'): void {
    const stop = this.stops.find(isWaiting) ?? this.position;
    if (stop) {
      this.select(stop.view.edit.id, focus, stop.hunk);
    }
  }

  /**
   * Go to the next (1) or previous (-1) place; the end wraps to the beginning.
   */
  step(direction: 1 | -1): void {
    const { position, stops } = this;
    if (stops.length === 0) {
      return;
    }
    if (this._at === null && direction === 1) {
      // Nothing has been looked at: the first press goes to the first place.
      this.begin('keep');
      return;
    }
    const at = stops.findIndex(stop => isSamePlace(stop, position));
    const next = stops[(at + direction + stops.length) % stops.length];
    this.select(next.view.edit.id, 'keep', next.hunk);
  }

  /** Record or withdraw the consent to an edit that changes the experiment. */
  consent(editId: string, isGiven: boolean): void {
    this._consent.set(this._key(editId), isGiven);
    this._forget();
    this._changed.emit();
  }

  /**
   * Accept an edit and those it needs: their hunks that are not rejected are
   * applied to the document.
   *
   * @param alone - Leave out those it needs; only after a warning.
   */
  async accept(editId: string, alone = false): Promise<void> {
    await this._wish(editId, 'accepted', null, alone);
  }

  /**
   * Reject an edit and those it needs: the document stays, or becomes again, as
   * before.
   */
  async reject(editId: string, alone = false): Promise<void> {
    await this._wish(editId, 'rejected', null, alone);
  }

  /** Undo the decision on an edit and those it needs, also in the document. */
  async undo(editId: string, alone = false): Promise<void> {
    await this._wish(editId, 'pending', null, alone);
  }

  /** Take the last decision back, also in the document. */
  async undoLast(): Promise<void> {
    const last = this._lastDecided();
    if (this.isEnabled && last) {
      if (last.step) {
        this._done.splice(this._done.indexOf(last.step));
      }
      await this._decide(last.back, true);
    }
  }

  /** Decide on the place that is looked at, and on those it needs. */
  async decideCurrent(wish: Wish): Promise<void> {
    const { position } = this;
    if (position) {
      const { hunk, isWhole, view } = position;
      await this._wish(view.edit.id, wish, isWhole ? null : hunk, false);
    }
  }

  /**
   * Decide on one of an edit's hunks; if the edit needs others, on all of them.
   */
  async decideHunk(editId: string, index: number, wish: Wish): Promise<void> {
    await this._wish(editId, wish, index, false);
  }

  /**
   * Accept all pending edits, as one undo step. Edits that change the experiment
   * need the user's consent; skip those without it and all edits that need them.
   */
  async acceptAll(): Promise<void> {
    const views = this.undecided.filter(view => !this._needsConsent(view));
    await this._take('accepted', new Map(views.map(view => [view, null])));
  }

  /** Reject all pending edits. */
  async rejectAll(): Promise<void> {
    const views = this.undecided;
    await this._take('rejected', new Map(views.map(view => [view, null])));
  }

  /** Decide on all places of a rule at once, as one undo step. */
  async decideRule(rule: string, wish: Wish): Promise<void> {
    const places = this.rules.find(item => item.rule === rule)?.places ?? [];
    const byEdit = new Map<string, Set<number>>();
    for (const { editId, index } of places) {
      byEdit.set(editId, (byEdit.get(editId) ?? new Set()).add(index));
    }
    const chosen = new Map<IEditView, ReadonlySet<number> | null>();
    for (const [editId, hunks] of byEdit) {
      const group = this.groupOf(editId);
      for (const view of group) {
        if (wish !== 'accepted' || !this._needsConsent(view)) {
          chosen.set(view, group.length === 1 ? hunks : null);
        }
      }
    }
    await this._take(wish, chosen);
  }

  dispose(): void {
    if (this._isDisposed) {
      return;
    }
    this._isDisposed = true;
    Signal.clearData(this);
  }

  private async _wish(
    editId: string,
    wish: Wish,
    index: number | null,
    alone: boolean
  ): Promise<void> {
    if (!alone && !this._maySay(editId, wish)) {
      return;
    }
    const one = this.find(editId);
    const group = alone ? (one ? [one] : []) : this.groupOf(editId);
    const hunks = index === null || group.length > 1 ? null : new Set([index]);
    if (wish !== 'accepted' || !group.some(isUnsaid)) {
      await this._take(wish, new Map(group.map(view => [view, hunks])));
    }
  }

  /**
   * Return whether an edit and those it needs have the required consent; if
   * not, go to the missing one.
   */
  private _maySay(editId: string, wish: Wish): boolean {
    const unsaid = this.groupOf(editId).find(isUnsaid);
    if (wish !== 'accepted' || !unsaid) {
      return true;
    }
    this.select(unsaid.edit.id, 'keep');
    return false;
  }

  private _needsConsent(view: IEditView): boolean {
    return this.groupOf(view.edit.id).some(isUnsaid);
  }

  /**
   * Take a decision on edits, each on some of its hunks or on all of them, and
   * remember how to take it back.
   */
  private async _take(
    wish: Wish,
    chosen: ReadonlyMap<IEditView, ReadonlySet<number> | null>
  ): Promise<void> {
    const step = new Map<string, HunkWishes>();
    const before = new Map<string, HunkWishes>();
    for (const [view, hunks] of chosen) {
      const concerned = view.hunks.filter(({ index, state }) =>
        hunks
          ? hunks.has(index)
          : wish !== 'accepted' || !keepsRejected(view) || state !== 'rejected'
      );
      const { id } = view.edit;
      step.set(id, new Map(concerned.map(({ index }) => [index, wish])));
      before.set(
        id,
        new Map(concerned.map(({ index, state }) => [index, wishOf(state)]))
      );
    }
    if (step.size === 0 || !this.isEnabled || !this.shown) {
      return;
    }
    if (wish !== 'pending') {
      this._done.push({ proposal: this.shown.review.proposal.id, before });
    }
    await this._decide(step, wish === 'pending');
  }

  /**
   * Take decisions in the browser, go on, and send them with the others.
   *
   * @param isBack - Whether they take earlier ones back.
   */
  private async _decide(step: Step, isBack = false): Promise<void> {
    this._steps.push(step);
    this._claims = merged(this._steps);
    this._forget();
    this._goOn(step, isBack);
    this._flushing ??= this._flush();
    await this._flushing;
  }

  /** Send the decisions taken so far together, until none is left. */
  private async _flush(): Promise<void> {
    while (this._steps.length > 0) {
      const steps = [...this._steps];
      await this._carryOutAll(steps);
      this._steps.splice(0, steps.length);
      this._claims = merged(this._steps);
      this._forget();
      this._changed.emit();
    }
    this._flushing = null;
  }

  /**
   * Carry out decisions together; one by one if the server refuses that, so
   * that only the refused ones are lost. Report failures.
   */
  private async _carryOutAll(steps: readonly Step[]): Promise<void> {
    try {
      await this._carryOut(steps);
      return;
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status === 409;
      if (isRefused) {
        await this._model.refresh();
      }
      // Another user was faster: their change is on its way into the document.
      const isTaken = isRefused && error.code === 'already_accepted';
      if (!isTaken && (!isRefused || steps.length === 1)) {
        this._model.report(error);
        return;
      }
    }
    for (const step of steps) {
      const open = [...step].filter(
        ([id, wishes]) => !isAll(wishes, 'accepted') || this._isOpen(id)
      );
      try {
        await this._carryOut([new Map(open)]);
      } catch (error) {
        this._model.report(error);
      }
    }
  }

  private _isOpen(editId: string): boolean {
    const { shown } = this;
    return !!shown && editState(shown.review, editId) === 'pending';
  }

  /**
   * Send decisions to the server, then change the document, then report to the
   * server if that failed.
   *
   * @throws ApiError if the server refuses one of them; nothing is changed then.
   */
  private async _carryOut(steps: readonly Step[]): Promise<void> {
    const all = merged(steps);
    const lost = this._lostAmong(all);
    const decisions = new Map<string, Decision>();
    const rejected = new Map<string, ReadonlySet<number>>();
    for (const [id, wishes] of all) {
      const view = this._recorded(id);
      const next = lost.has(id)
        ? isAll(wishes, 'pending')
          ? null
          : decision('stale')
        : view && this._decision(view, wishes, rejected);
      if (next) {
        decisions.set(id, next);
      }
    }
    await this._send(decisions);
    rejected.forEach((hunks, key) => this._rejected.set(key, hunks));
    const failed = new Map<string, Decision>();
    for (const step of steps) {
      // Each step can be undone on its own.
      for (const [id, result] of this._touch(this._changes(step, lost))) {
        if (result === 'applied') {
          // Note that the document has it, even if it is undone right away.
          this._recorded(id);
        } else {
          failed.set(id, decision(result === 'stale' ? 'stale' : 'failed'));
        }
      }
    }
    await this._send(failed);
  }

  /** Return the ids of the edits that no longer fit the document. */
  private _lostAmong(step: Step): Set<string> {
    const lost = new Set<string>();
    const changes = this._changes(step, lost);
    const fitting = fitTogether(
      this._model.places.live(),
      changes.map(({ change }) => change)
    );
    changes
      .filter((_, index) => !fitting[index])
      .forEach(({ editId }) => lost.add(editId));
    return lost;
  }

  /**
   * Return the changes of the document for a step.
   *
   * @param lost - Ids of edits to leave out; edits that no longer fit are added.
   */
  private _changes(step: Step, lost: Set<string>): IEditChange[] {
    const coming = new Set<string>();
    for (const [id, wishes] of step) {
      const edit = this._recorded(id)?.edit;
      if (edit?.kind === 'insert' && isAll(wishes, 'accepted')) {
        coming.add(edit.cell_id);
      }
    }
    return [...step].flatMap(([editId, wishes]) => {
      const view = lost.has(editId) ? null : this._recorded(editId);
      const change = view && this._change(view, wishes, coming);
      if (change === 'lost') {
        lost.add(editId);
        return [];
      }
      return change ? [{ editId, change }] : [];
    });
  }

  private async _send(decisions: ReadonlyMap<string, Decision>): Promise<void> {
    const proposal = this.shown?.review.proposal;
    const { session } = this._model;
    if (!proposal || !session || decisions.size === 0) {
      return;
    }
    const hashes = proposal.edits
      .filter(edit => decisions.get(edit.id)?.state === 'accepted')
      .map(edit => [edit.id, edit.base_hash]);
    this._model.take(
      await this._client.decide(session.id, proposal.id, {
        decisions: Object.fromEntries(decisions),
        source_hashes: Object.fromEntries(hashes)
      })
    );
  }

  /** Change the document; several changes are one undo step. */
  private _touch(changes: readonly IEditChange[]): [string, ApplyResult][] {
    const { shared } = this._model.document;
    for (const { editId, change } of changes) {
      if (change.kind === 'delete') {
        const at = shared.cells.findIndex(
          (cell: ISharedCell) => cell.getId() === change.id
        );
        this._deleted.set(this._key(editId), {
          after: at > 0 ? shared.cells[at - 1].getId() : null,
          content: shared.cells[at].toJSON()
        });
      }
    }
    const results =
      changes.length === 1
        ? [applyChange(shared, changes[0].change)]
        : changes.length > 1
          ? applyAll(
              shared,
              changes.map(({ change }) => change)
            )
          : [];
    this._forget();
    return changes.map(({ editId }, index) => [editId, results[index]]);
  }

  /**
   * Return the change of the document for a decision: null if none, `lost` if
   * the document no longer fits the edit.
   */
  private _change(
    view: IEditView,
    wishes: HunkWishes,
    coming: ReadonlySet<string>
  ): DocumentChange | 'lost' | null {
    const { edit, place } = view;
    const [whole] = view.hunks;
    const isIn = wishes.get(whole.index) === 'accepted';
    if (edit.kind === 'modify') {
      return this._modification(view, wishes);
    }
    if (whole.place.holds === (isIn ? 'new' : 'old')) {
      return null;
    }
    if (whole.place.holds === 'other') {
      return isIn || view.status === 'accepted' ? 'lost' : null;
    }
    if (edit.kind === 'insert') {
      const { new_source: source } = edit;
      if (!isIn) {
        return place === null
          ? null
          : { kind: 'delete', id: place, base: source };
      }
      const edits = this.shown?.review.proposal.edits ?? [];
      const after = anchorOf(
        edit,
        edits,
        id => this._model.places.find(id),
        coming
      );
      return after === undefined
        ? 'lost'
        : {
            kind: 'insert',
            id: edit.cell_id,
            after,
            type: edit.cell_type,
            source
          };
    }
    if (isIn) {
      return place === null
        ? null
        : { kind: 'delete', id: place, base: edit.base_source };
    }
    const deleted = this._deleted.get(this._key(edit.id));
    return deleted
      ? {
          kind: 'insert',
          id: String(deleted.content.id ?? edit.cell_id),
          after: deleted.after,
          type: edit.cell_type,
          source: edit.base_source,
          content: deleted.content
        }
      : 'lost';
  }

  private _modification(
    { hunks, place, source }: IEditView,
    wishes: HunkWishes
  ): DocumentChange | 'lost' | null {
    const concerned = hunks.flatMap(hunk => {
      const wish = wishes.get(hunk.index);
      return wish ? [{ hunk, wish, isIn: wish === 'accepted' }] : [];
    });
    const lines = concerned.flatMap(({ hunk, isIn }) =>
      hunk.place.holds === (isIn ? 'old' : 'new')
        ? [
            {
              from: hunk.place.from,
              to: hunk.place.to,
              lines: isIn ? hunk.fresh : hunk.old
            }
          ]
        : []
    );
    if (place === null || source === null || lines.length === 0) {
      const isLost = concerned.some(
        ({ hunk, wish }) => hunk.place.holds === 'other' && wish !== 'rejected'
      );
      const isThere = concerned.some(
        ({ hunk, isIn }) => hunk.place.holds === (isIn ? 'new' : 'old')
      );
      return isLost && !isThere ? 'lost' : null;
    }
    return {
      kind: 'modify',
      id: place,
      base: source,
      source: replaceLines(source, lines)
    };
  }

  /**
   * Return the decision for the server: null while some of an edit's hunks wait
   * that waited before.
   *
   * @param rejections - Gets the edit's rejected hunks.
   */
  private _decision(
    view: IEditView,
    wishes: HunkWishes,
    rejections: Map<string, ReadonlySet<number>>
  ): Decision | null {
    const key = this._key(view.edit.id);
    const rejected = new Set(this._rejected.get(key));
    for (const { index, state } of view.hunks) {
      const wish = wishes.get(index);
      if (wish === 'rejected' || (!wish && state === 'rejected')) {
        rejected.add(index);
      } else if (wish) {
        rejected.delete(index);
      }
    }
    rejections.set(key, rejected);
    const states = view.hunks.map(({ index, place }) => {
      if (rejected.has(index)) {
        return 'rejected';
      }
      // A hunk that no longer fits does not block the others.
      return place.holds === 'other'
        ? 'lost'
        : (wishes.get(index) ??
            (place.holds === 'new' ? 'accepted' : 'pending'));
    });
    if (states.includes('pending')) {
      return view.isOpen ? null : decision('pending');
    }
    if (!states.includes('accepted')) {
      return decision(states.includes('rejected') ? 'rejected' : 'stale');
    }
    // Accepted before, with the same hunks: the server has it.
    if (!view.isOpen && view.status === 'undone') {
      return null;
    }
    return {
      state: 'accepted',
      partial: states.some(state => state !== 'accepted'),
      confirmed: view.consent === 'given'
    };
  }

  /** Return an edit without the decisions that are on their way to the server. */
  private _recorded(editId: string): IEditView | null {
    const edit = this.shown?.review.proposal.edits.find(
      item => item.id === editId
    );
    return edit ? this._view(edit, null) : null;
  }

  private _view(
    edit: CellEdit,
    claims: HunkWishes | null = this._claims.get(edit.id) ?? null
  ): IEditView {
    const review = this.shown?.review;
    const key = this._key(edit.id);
    let look = this._looks.get(key);
    if (!look) {
      look = new EditLook(edit);
      this._looks.set(key, look);
    }
    const edits = review?.proposal.edits ?? [];
    const find = (id: string) => this._model.places.find(id);
    const place = find(edit.cell_id);
    return look.at({
      place,
      source: place === null ? null : this._model.places.source(place),
      decision: review?.decisions[edit.id] ?? decision('pending'),
      claims,
      rejected: this._rejected.get(key) ?? NOTHING,
      hasAnchor:
        edit.kind !== 'insert' || anchorOf(edit, edits, find) !== undefined,
      consent: this._consentTo(edit),
      canUndo: this._isLatest,
      canRestore: this._deleted.has(key)
    });
  }

  /** Whether nothing has run since this review: its decisions can be undone. */
  private get _isLatest(): boolean {
    const { session, isWorking } = this._model;
    const { shown } = this;
    return (
      !!session &&
      !!shown &&
      !isWorking &&
      (shown.review.final || shown.iteration === currentIteration(session))
    );
  }

  private _consentTo(edit: CellEdit): IEditView['consent'] {
    if (!needsYes(edit, this._model.session?.settings)) {
      return 'not-needed';
    }
    return this._consent.has(this._key(edit.id)) ? 'given' : 'missing';
  }

  /** Return the places of an edit to stop at. */
  private _stopsOf(view: IEditView): IStop[] {
    const { edit, hunks, status } = view;
    const isWhole =
      !this._isByHunk ||
      edit.kind !== 'modify' ||
      edit.cell_type !== 'code' ||
      edit.group !== '' ||
      status === 'stale';
    return isWhole
      ? [{ view, hunk: 0, isWhole }]
      : hunks.map(({ index }) => ({ view, hunk: index, isWhole }));
  }

  /**
   * Go to the next place that waits, after the ones that were just decided; or
   * back to those whose decisions were taken back.
   */
  private _goOn(step: Step, isBack: boolean): void {
    const { stops } = this;
    const isOfStep = ({ hunk, isWhole, view }: IStop) => {
      const wishes = step.get(view.edit.id);
      return !!wishes && (isWhole || wishes.has(hunk));
    };
    const first = stops.find(isOfStep);
    const last = stops.map(isOfStep).lastIndexOf(true);
    const ahead = [...stops.slice(last + 1), ...stops.slice(0, last + 1)];
    const next = isBack ? first : ahead.find(isWaiting);
    // With nothing left, go to a decided edit: it can be undone. Of several
    // the first in reading order.
    const done = step.size > 1 ? first : null;
    const to = next ?? done ?? null;
    const at = to ?? stops[last];
    this._at = at ? { edit: at.view.edit.id, hunk: at.hunk } : null;
    this._selected.emit({
      editId: to?.view.edit.id ?? null,
      hunk: to?.hunk ?? 0,
      focus: 'keep'
    });
    this._changed.emit();
  }

  /**
   * Return the last decision that can be taken back, and the step that does so;
   * after a reload, that on the current edit. Null if there is none.
   */
  private _lastDecided(): { step: IDone | null; back: Step } | null {
    const id = this.shown?.review.proposal.id;
    for (const step of [...this._done].reverse()) {
      const back = new Map(
        [...step.before].filter(([editId, wishes]) =>
          this._canGoBack(editId, wishes)
        )
      );
      if (step.proposal === id && back.size > 0) {
        return { step, back };
      }
    }
    const { current } = this;
    if (!current?.canUndo) {
      return null;
    }
    const group = this.groupOf(current.edit.id);
    const back = group.map(({ edit, hunks }): [string, HunkWishes] => [
      edit.id,
      new Map(hunks.map(({ index }) => [index, 'pending']))
    ]);
    return { step: null, back: new Map(back) };
  }

  private _canGoBack(editId: string, wishes: HunkWishes): boolean {
    const view = this.find(editId);
    return (
      !!view?.canUndo &&
      view.hunks.some(({ index, state }) => {
        const wish = wishes.get(index);
        return wish !== undefined && wish !== wishOf(state);
      })
    );
  }

  private _onChange(): void {
    this._forget();
    this._changed.emit();
  }

  private _forget(): void {
    this._edits = null;
    this._stops = null;
    this._rules = null;
  }

  private _key(editId: string): string {
    return `${this.shown?.review.proposal.id ?? ''}/${editId}`;
  }

  private readonly _model: SessionModel;
  private readonly _client: ReviewModel.IClient;
  private readonly _consent = new Consent();
  private readonly _looks = new Map<string, EditLook>();
  private readonly _rejected = new Map<string, ReadonlySet<number>>();
  private readonly _deleted = new Map<
    string,
    { after: string | null; content: nbformat.ICell }
  >();
  private readonly _selected = new Signal<this, ReviewModel.ISelection>(this);
  private readonly _changed = new Signal<this, void>(this);
  private _edits: readonly IEditView[] | null = null;
  private _stops: readonly IStop[] | null = null;
  private _rules: readonly IRuleView[] | null = null;
  private _at: { edit: string; hunk: number } | null = null;
  private _isByHunk = true;
  private readonly _done: IDone[] = [];
  private readonly _steps: Step[] = [];
  private _claims: Step = new Map();
  private _flushing: Promise<void> | null = null;
  private _isDisposed = false;
}

/**
 * Names around {@link ReviewModel}.
 */
export namespace ReviewModel {
  /** The client's methods for the review. */
  export type IClient = Pick<ModernizerClient, 'decide'>;

  /**
   * Where the focus goes with the selection: it stays (`none`), it stays where
   * the keys of the review work (`keep`), or it moves to the notebook's bar
   * (`move`).
   */
  export type Focus = 'none' | 'keep' | 'move';

  /** The user's current position. */
  export interface ISelection {
    /** The edit; null if none is left. */
    editId: string | null;
    /** Number of its hunk. */
    hunk: number;
    /** Where the focus goes. */
    focus: Focus;
  }

  /** Options of the review. */
  export interface IOptions {
    /** The notebook's modernization. */
    model: SessionModel;
    /** Records decisions. */
    client: IClient;
  }
}

const NOTHING: ReadonlySet<number> = new Set();

function decision(state: EditState): Decision {
  return { state, partial: false, confirmed: false };
}

/** Return whether accepting the whole edit retains its rejected hunks. */
function keepsRejected(view: IEditView): boolean {
  return view.isOpen || view.status === 'undone';
}

function isUnsaid(view: IEditView): boolean {
  return view.consent === 'missing';
}

function isOpen({ hunk, isWhole, view }: IStop): boolean {
  return (
    view.isOpen &&
    (isWhole ||
      view.status === 'present' ||
      view.hunks[hunk].state === 'pending')
  );
}

function isWaiting(stop: IStop): boolean {
  return isOpen(stop) && stop.view.status !== 'stale';
}

function isSamePlace(stop: IStop, other: IStop | null): boolean {
  return stop.view.edit.id === other?.view.edit.id && stop.hunk === other.hunk;
}

/** Return the decision that a hunk's state stands for. */
function wishOf(state: HunkState): Wish {
  return state === 'accepted' || state === 'rejected' ? state : 'pending';
}

function isAll(wishes: HunkWishes, wish: Wish): boolean {
  return [...wishes.values()].every(item => item === wish);
}

/** Return the outcome of steps that are carried out one after the other. */
function merged(steps: readonly Step[]): Step {
  const all = new Map<string, HunkWishes>();
  for (const step of steps) {
    for (const [id, wishes] of step) {
      all.set(id, new Map([...(all.get(id) ?? []), ...wishes]));
    }
  }
  return all;
}
