import type { CellEdit, Decision } from '../api/types';
import {
  type EditStatus,
  type HunkState,
  type IEditView,
  type IHunkView,
  partsOf
} from './change';
import { findHunks, type HunkPlace, type IHunk, locate } from './hunks';

/** State that the look of an edit depends on, besides the edit itself. */
export interface IFacts {
  /** The document's id of the cell, or null. */
  place: string | null;
  /** The cell's current text. */
  source: string | null;
  /** The decision on the server. */
  decision: Decision;
  /** Decisions on hunks that are on their way to the server; null if none. */
  claims: ReadonlyMap<number, 'accepted' | 'rejected' | 'pending'> | null;
  /** Hunks that were rejected here, while others wait. */
  rejected: ReadonlySet<number>;
  /** Whether a new cell's place is known. */
  hasAnchor: boolean;
  /** The user's consent to a change of the experiment. */
  consent: IEditView['consent'];
  /** Whether decisions can be undone. */
  canUndo: boolean;
  /** Whether a deleted cell is still stored. */
  canRestore: boolean;
}

/**
 * State of one edit, derived from its cell. Texts are compared once, and again
 * only if the cell's text changes.
 */
export class EditLook {
  constructor(private readonly _edit: CellEdit) {}

  /**
   * Return the edit as the user sees it; the same object while nothing changes.
   */
  at(facts: IFacts): IEditView {
    if (!this._seen || !isSame(this._seen.facts, facts)) {
      this._seen = { facts, view: this._look(facts) };
    }
    return this._seen.view;
  }

  private _look(facts: IFacts): IEditView {
    const edit = this._edit;
    const hunks = this._parted();
    const places = this._places(facts);
    const views = hunks.map((hunk, index): IHunkView => {
      const place = places[index];
      if (place.holds === 'new') {
        this._wasMade = true;
      }
      const claim = place.holds === 'other' ? null : facts.claims?.get(index);
      return {
        ...hunk,
        index,
        place,
        state:
          claim ?? hunkState(place, facts.decision, facts.rejected.has(index))
      };
    });
    const decision = facts.claims
      ? claimedDecision(views, facts.decision)
      : facts.decision;
    const isOpen = decision.state === 'pending';
    const status = editStatus(views, decision);
    const isMade = views.some(hunk => hunk.place.holds === 'new');
    return {
      edit,
      status,
      isOpen,
      isElsewhere: status === 'undone' && !this._wasMade,
      isPartial: decision.partial,
      hunks: views,
      open: views.filter(hunk => hunk.state === 'pending').length,
      place: facts.place,
      source: facts.source,
      consent: facts.consent,
      canUndo:
        facts.canUndo &&
        status !== 'failed' &&
        (!isOpen || views.some(hunk => hunk.state !== 'pending')) &&
        !(edit.kind === 'delete' && isMade && !facts.canRestore)
    };
  }

  private _parted(): readonly (IHunk & Pick<IHunkView, 'parts'>)[] {
    if (!this._hunks) {
      const edit = this._edit;
      const found =
        edit.kind === 'modify'
          ? findHunks(edit.base_source, edit.new_source)
          : [wholeCell(edit)];
      const parts = partsOf(edit.parts, found);
      this._hunks = found.map((hunk, index) => ({
        ...hunk,
        parts: parts[index]
      }));
    }
    return this._hunks;
  }

  private _places({ hasAnchor, source }: IFacts): readonly HunkPlace[] {
    const edit = this._edit;
    if (edit.kind === 'insert') {
      return [insertionPlace(edit, source, hasAnchor)];
    }
    if (edit.kind === 'delete') {
      return [deletionPlace(edit, source)];
    }
    const hunks = this._parted();
    if (source === null) {
      return hunks.map(() => ({ holds: 'other' }));
    }
    if (this._located?.source !== source) {
      this._located = {
        source,
        places: locate(edit.base_source, hunks, source)
      };
    }
    return this._located.places;
  }

  /** Whether the document has had one of its hunks since the page was loaded. */
  private _wasMade = false;
  private _seen: { facts: IFacts; view: IEditView } | null = null;
  private _hunks: readonly (IHunk & Pick<IHunkView, 'parts'>)[] | null = null;
  private _located: {
    source: string;
    places: readonly HunkPlace[];
  } | null = null;
}

function isSame(before: IFacts, after: IFacts): boolean {
  return (
    before.place === after.place &&
    before.source === after.source &&
    before.decision.state === after.decision.state &&
    before.decision.partial === after.decision.partial &&
    before.claims === after.claims &&
    before.rejected === after.rejected &&
    before.hasAnchor === after.hasAnchor &&
    before.consent === after.consent &&
    before.canUndo === after.canUndo &&
    before.canRestore === after.canRestore
  );
}

function wholeCell(edit: CellEdit): IHunk {
  const old = edit.kind === 'insert' ? [] : edit.base_source.split('\n');
  const fresh = edit.kind === 'delete' ? [] : edit.new_source.split('\n');
  return {
    from: 0,
    to: old.length,
    fromNew: 0,
    toNew: fresh.length,
    old,
    fresh
  };
}

function insertionPlace(
  edit: CellEdit,
  source: string | null,
  hasAnchor: boolean
): HunkPlace {
  if (source === null) {
    return hasAnchor ? { holds: 'old', from: 0, to: 0 } : { holds: 'other' };
  }
  return source === edit.new_source
    ? { holds: 'new', from: 0, to: source.split('\n').length }
    : { holds: 'other' };
}

function deletionPlace(edit: CellEdit, source: string | null): HunkPlace {
  if (source === null) {
    return { holds: 'new', from: 0, to: 0 };
  }
  return source === edit.base_source
    ? { holds: 'old', from: 0, to: source.split('\n').length }
    : { holds: 'other' };
}

/** Return the decision on an edit that follows from those on its hunks. */
function claimedDecision(
  hunks: readonly IHunkView[],
  recorded: Decision
): Decision {
  const has = (state: HunkState) => hunks.some(hunk => hunk.state === state);
  if (has('pending')) {
    return { ...recorded, state: 'pending', partial: false };
  }
  return has('accepted')
    ? { ...recorded, state: 'accepted', partial: has('rejected') }
    : { ...recorded, state: has('rejected') ? 'rejected' : recorded.state };
}

function hunkState(
  place: HunkPlace,
  decision: Decision,
  isRejected: boolean
): HunkState {
  const { partial, state } = decision;
  if (place.holds === 'new') {
    return 'accepted';
  }
  switch (state) {
    case 'pending':
      if (place.holds === 'other') {
        return 'stale';
      }
      return isRejected ? 'rejected' : 'pending';
    case 'accepted':
      if (place.holds === 'other') {
        return 'accepted';
      }
      return partial || isRejected ? 'rejected' : 'undone';
    case 'rejected':
      return 'rejected';
    case 'stale':
    case 'failed':
      return 'stale';
  }
}

function editStatus(
  hunks: readonly IHunkView[],
  decision: Decision
): EditStatus {
  const has = (state: HunkState) => hunks.some(hunk => hunk.state === state);
  switch (decision.state) {
    case 'pending':
      if (has('pending')) {
        return 'pending';
      }
      return has('accepted') || has('rejected') ? 'present' : 'stale';
    case 'accepted':
      return has('undone') && !has('accepted') ? 'undone' : 'accepted';
    case 'rejected':
    case 'stale':
    case 'failed':
      return decision.state;
  }
}
