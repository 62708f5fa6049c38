import type { ISharedCell } from '@jupyter/ydoc';
import type * as nbformat from '@jupyterlab/nbformat';
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
import { currentIteration, shownReview } from '../session/reading';
import type { SessionModel } from '../session/model';
import {
  applyAll,
  applyChange,
  type ApplyResult,
  type DocumentChange,
  fitTogether
} from './apply';
import { anchorOf, type IEditChange, type IEditView } from './change';
import { Consent, needsYes } from './consent';
import { replaceLines } from './hunks';
import { groupByRule, type IRuleView } from './rules';
import { EditLook } from './look';

/** A user's decision on a hunk: accept, reject, or reconsider. */
export type Wish = 'accepted' | 'rejected' | 'pending';

/** A decision on some hunks of an edit. */
interface IEditWish {
  view: IEditView;
  /** Its hunks; null for all of them. */
  hunks: ReadonlySet<number> | null;
}

/**
 * The review of one proposal: the current edit, the decision on each hunk, and
 * the transfer of accepted hunks to the document.
 *
 * An accepted hunk is applied to the document at once. The server stores one
 * decision an edit: it is notified after the decision on the last of its hunks.
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
   * Emitted when the user moved to another edit; carries whether the focus
   * moves there.
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

  /** The edit that is looked at. */
  get current(): IEditView | null {
    const { edits } = this;
    return (
      edits.find(view => view.edit.id === this._currentId) ??
      edits.find(view => view.status === 'pending') ??
      edits[0] ??
      null
    );
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

  /** Make an edit the current one. */
  select(editId: string, focus = false): void {
    this._currentId = editId;
    this._selected.emit({ editId, focus });
    this._changed.emit();
  }

  /**
   * Go to the next (1) or previous (-1) edit; the end wraps to the beginning.
   */
  step(direction: 1 | -1): void {
    const { edits, current } = this;
    if (edits.length === 0) {
      return;
    }
    const at = edits.findIndex(view => view.edit.id === current?.edit.id);
    const next = (at + direction + edits.length) % edits.length;
    this.select(edits[next].edit.id, true);
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

  /** Decide on the edit that is current after the pending decisions. */
  async decideCurrent(wish: Wish): Promise<void> {
    await this._carryOut(wish, () => {
      const view = this.current;
      return view && this._maySay(view.edit.id, wish)
        ? this.groupOf(view.edit.id).map(item => ({ view: item, hunks: null }))
        : [];
    });
  }

  /**
   * Decide on one of an edit's hunks; if the edit needs others, on all of them.
   */
  async decideHunk(editId: string, index: number, wish: Wish): Promise<void> {
    const isAlone = this.groupOf(editId).length === 1;
    await this._wish(editId, wish, isAlone ? index : null, false);
  }

  /**
   * Accept all pending edits, as one undo step. Edits that change the experiment
   * need the user's consent; skip those without it and all edits that need them.
   */
  async acceptAll(): Promise<void> {
    await this._carryOut('accepted', () =>
      this.undecided
        .filter(view => !this._needsConsent(view))
        .map(view => ({ view, hunks: null }))
    );
  }

  /** Reject all pending edits. */
  async rejectAll(): Promise<void> {
    await this._carryOut('rejected', () =>
      this.undecided.map(view => ({ view, hunks: null }))
    );
  }

  /** Decide on all places of a rule at once, as one undo step. */
  async decideRule(rule: string, wish: Wish): Promise<void> {
    await this._carryOut(wish, () => {
      const places = this.rules.find(item => item.rule === rule)?.places ?? [];
      const byEdit = new Map<string, Set<number>>();
      for (const { editId, index } of places) {
        byEdit.set(editId, (byEdit.get(editId) ?? new Set()).add(index));
      }
      const wishes = new Map<string, IEditWish>();
      for (const [editId, hunks] of byEdit) {
        const group = this.groupOf(editId);
        for (const view of group) {
          wishes.set(view.edit.id, {
            view,
            hunks: group.length === 1 ? hunks : null
          });
        }
      }
      return [...wishes.values()].filter(
        ({ view }) => wish !== 'accepted' || !this._needsConsent(view)
      );
    });
  }

  dispose(): void {
    if (this._isDisposed) {
      return;
    }
    this._isDisposed = true;
    this._model.document.changed.disconnect(this._forget, this);
    this._model.sessionChanged.disconnect(this._onChange, this);
    this._model.documentChanged.disconnect(this._onChange, this);
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
    await this._carryOut(wish, () => {
      const one = this.find(editId);
      const group = alone ? (one ? [one] : []) : this.groupOf(editId);
      if (wish === 'accepted' && group.some(isUnsaid)) {
        return [];
      }
      const hunks = index === null ? null : new Set([index]);
      return group.map(view => ({ view, hunks }));
    });
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
    this.select(unsaid.edit.id, true);
    return false;
  }

  private _needsConsent(view: IEditView): boolean {
    return this.groupOf(view.edit.id).some(isUnsaid);
  }

  /**
   * Send the decision to the server, then change the document, then report to
   * the server if that failed.
   *
   * @param find - Returns the decisions; called again if another user was
   *   faster.
   */
  private async _carryOut(wish: Wish, find: () => IEditWish[]): Promise<void> {
    // One after the other: nothing that was pressed is lost.
    const turn = this._turn.then(() => this._takeTurn(wish, find));
    this._turn = turn;
    await turn;
  }

  private async _takeTurn(wish: Wish, find: () => IEditWish[]): Promise<void> {
    if (!this.isEnabled || !this.shown) {
      return;
    }
    const wishes = find();
    if (wishes.length === 0) {
      return;
    }
    try {
      try {
        await this._decide(wish, wishes);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'already_accepted') {
          throw error;
        }
        // Somebody else accepted some of it: their change is on its way into the document.
        await this._model.refresh();
        await this._decide(wish, find().filter(isStillOpen));
      }
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) {
        await this._model.refresh();
      }
      this._model.report(error);
    }
    this._forget();
    if (wish === 'pending') {
      this.select(wishes[0].view.edit.id, true);
    } else {
      this._moveOn(wishes.map(({ view }) => view.edit.id));
    }
  }

  private async _decide(
    wish: Wish,
    wishes: readonly IEditWish[]
  ): Promise<void> {
    const coming = new Set(
      wish === 'accepted'
        ? wishes
            .filter(({ view }) => view.edit.kind === 'insert')
            .map(({ view }) => view.edit.cell_id)
        : []
    );
    const planned = wishes.map(item => ({
      item,
      change: this._change(item, wish, coming)
    }));
    const changes = planned.flatMap(({ item, change }) =>
      change && change !== 'lost' ? [{ editId: item.view.edit.id, change }] : []
    );
    const fitting = fitTogether(
      this._model.places.live(),
      changes.map(({ change }) => change)
    );
    const lost = new Set(
      planned
        .filter(({ change }) => change === 'lost')
        .map(({ item }) => item.view.edit.id)
    );
    changes
      .filter((_, index) => !fitting[index])
      .forEach(({ editId }) => lost.add(editId));
    const decisions = new Map<string, Decision>();
    for (const { item } of planned) {
      const { edit } = item.view;
      const next = lost.has(edit.id)
        ? wish === 'pending'
          ? null
          : decision('stale')
        : this._decision(item, wish);
      if (next) {
        decisions.set(edit.id, next);
      }
    }
    await this._send(decisions);
    const results = this._touch(
      changes.filter(({ editId }) => !lost.has(editId))
    );
    await this._send(
      new Map(
        results
          .filter(([, result]) => result !== 'applied')
          .map(([id, result]) => [
            id,
            decision(result === 'stale' ? 'stale' : 'failed')
          ])
      )
    );
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
    { view, hunks }: IEditWish,
    wish: Wish,
    coming: ReadonlySet<string>
  ): DocumentChange | 'lost' | null {
    const { edit, place } = view;
    const isIn = wish === 'accepted';
    const [whole] = view.hunks;
    if (edit.kind === 'modify') {
      return this._modification(view, hunks, wish);
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
    view: IEditView,
    chosen: ReadonlySet<number> | null,
    wish: Wish
  ): DocumentChange | 'lost' | null {
    const { place, source } = view;
    const isIn = wish === 'accepted';
    const from = isIn ? 'old' : 'new';
    const keeps = isIn && keepsRejected(view);
    const concerned = view.hunks.filter(hunk =>
      chosen ? chosen.has(hunk.index) : !keeps || hunk.state !== 'rejected'
    );
    const lines = concerned.flatMap(hunk =>
      hunk.place.holds === from
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
      const isLost = concerned.some(hunk => hunk.place.holds === 'other');
      const isThere = concerned.some(
        hunk => hunk.place.holds === (isIn ? 'new' : 'old')
      );
      return isLost && !isThere && wish !== 'rejected' ? 'lost' : null;
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
   */
  private _decision({ view, hunks }: IEditWish, wish: Wish): Decision | null {
    const { edit } = view;
    const key = this._key(edit.id);
    const rejected = new Set(this._rejected.get(key));
    for (const hunk of view.hunks) {
      if (hunks && !hunks.has(hunk.index)) {
        if (hunk.state === 'rejected') {
          rejected.add(hunk.index);
        }
        continue;
      }
      if (wish === 'rejected') {
        rejected.add(hunk.index);
      } else if (wish === 'pending' || hunks || !keepsRejected(view)) {
        rejected.delete(hunk.index);
      }
    }
    this._rejected.set(key, rejected);
    const states = view.hunks.map(hunk => {
      if (rejected.has(hunk.index)) {
        return 'rejected';
      }
      const isChosen = !hunks || hunks.has(hunk.index);
      if (isChosen && hunk.place.holds !== 'other') {
        return wish;
      }
      // A hunk that no longer fits does not block the others.
      return hunk.place.holds === 'other'
        ? 'lost'
        : hunk.place.holds === 'new'
          ? 'accepted'
          : 'pending';
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

  private _view(edit: CellEdit): IEditView {
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

  /** Go to the next pending edit, after the ones that were just decided. */
  private _moveOn(decided: readonly string[]): void {
    const { edits } = this;
    const isDone = decided.some(id => this.find(id)?.status !== 'pending');
    const last = edits.findIndex(
      view => view.edit.id === decided[decided.length - 1]
    );
    const ahead = [...edits.slice(last + 1), ...edits.slice(0, last + 1)];
    const next = ahead.find(view => view.status === 'pending');
    if (isDone) {
      // With nothing left, go to a decided edit: it can be undone. Of several
      // the first in reading order.
      const done = decided.length > 1 ? decided[0] : null;
      this._currentId = next?.edit.id ?? done ?? edits[last]?.edit.id ?? null;
      this._selected.emit({
        editId: next?.edit.id ?? done,
        focus: true
      });
    }
    this._changed.emit();
  }

  private _onChange(): void {
    this._forget();
    this._changed.emit();
  }

  private _forget(): void {
    this._edits = null;
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
  private _rules: readonly IRuleView[] | null = null;
  private _currentId: string | null = null;
  private _turn: Promise<void> = Promise.resolve();
  private _isDisposed = false;
}

/**
 * Names around {@link ReviewModel}.
 */
export namespace ReviewModel {
  /** The client's methods for the review. */
  export type IClient = Pick<ModernizerClient, 'decide'>;

  /** The user's current position. */
  export interface ISelection {
    /** The edit; null if none is left. */
    editId: string | null;
    /** Whether the focus moves there. */
    focus: boolean;
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

function isStillOpen({ view }: IEditWish): boolean {
  return view.isOpen;
}
