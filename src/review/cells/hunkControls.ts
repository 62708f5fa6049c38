import { checkIcon, closeIcon, undoIcon } from '@jupyterlab/ui-components';
import type { LabIcon } from '@jupyterlab/ui-components';
import type { TranslationBundle } from '@jupyterlab/translation';

import type { EditPart } from '../../api/types';
import type { IEditView, IHunkView } from '../change';
import type { Wish } from '../model';

/** Properties of the controls of a hunk. */
export interface IHunkControls {
  /** The edit. */
  view: IEditView;
  /** One of its hunks. */
  hunk: IHunkView;
  /** Number of edits decided together with it. */
  together: number;
  /** Whether decisions are possible. */
  isEnabled: boolean;
  /** For the labels. */
  trans: TranslationBundle;
  /** A decision. */
  onWish: (wish: Wish) => void;
}

/**
 * Return the buttons of a hunk, and the reason for it: once a cell, behind
 * *Why?* if an earlier hunk has it.
 */
export function hunkControls(options: IHunkControls): HTMLElement {
  const { hunk, onWish, trans, view } = options;
  const node = document.createElement('div');
  node.className = 'jp-mle-Hunk';
  node.setAttribute('role', 'group');
  node.setAttribute('aria-label', describe(options));
  const add = (look: string, label: string, icon: LabIcon, wish: Wish) => {
    const button = makeButton(look, label, icon);
    const isHeld = wish === 'accepted' && view.consent === 'missing';
    if (isHeld) {
      button.title = trans.__('Confirm the change to the experiment first');
    }
    button.disabled = isHeld || !options.isEnabled;
    button.addEventListener('click', () => onWish(wish));
    node.append(button);
  };
  const { together } = options;
  switch (hunk.state) {
    case 'pending':
      add(
        'accept',
        together > 1
          ? trans.__('Accept in %1 cells', together)
          : trans.__('Accept'),
        checkIcon,
        'accepted'
      );
      add(
        'reject',
        together > 1
          ? trans.__('Reject in %1 cells', together)
          : trans.__('Reject'),
        closeIcon,
        'rejected'
      );
      break;
    case 'undone':
      add('accept', trans.__('Apply again'), checkIcon, 'accepted');
      break;
    case 'accepted':
    case 'rejected':
    case 'stale':
      node.append(stateLabel(hunk, trans));
      if (view.canUndo) {
        add('plain', trans.__('Undo'), undoIcon, 'pending');
      }
      break;
  }
  const why = reasonsOf(view, hunk);
  if (why.length > 0) {
    addReasons(node, why, isSaidAbove(view, hunk), options);
  }
  return node;
}

/** Return the text alternative of a hunk: its kind and its effect. */
function describe({ hunk, trans, view }: IHunkControls): string {
  const which = trans.__('Change %1 of %2', hunk.index + 1, view.hunks.length);
  const gone = trans._n('%1 line removed', '%1 lines removed', hunk.old.length);
  const come = trans._n('%1 line added', '%1 lines added', hunk.fresh.length);
  return `${which}: ${gone}, ${come}`;
}

function stateLabel(hunk: IHunkView, trans: TranslationBundle): HTMLElement {
  const label = document.createElement('span');
  label.className = 'jp-mle-Hunk-state';
  label.textContent =
    hunk.state === 'accepted'
      ? trans.__('Accepted')
      : hunk.state === 'rejected'
        ? trans.__('Rejected')
        : trans.__('Out of date');
  return label;
}

/**
 * Return the reasons of a hunk; an edit without rules has one for all of it.
 */
function reasonsOf(
  view: IEditView,
  hunk: IHunkView
): readonly Pick<EditPart, 'reason' | 'link'>[] {
  const { edit } = view;
  if (edit.parts.length > 0) {
    return hunk.parts;
  }
  return edit.reason ? [{ reason: edit.reason, link: edit.link }] : [];
}

function isSaidAbove(view: IEditView, hunk: IHunkView): boolean {
  const above = view.hunks.filter(item => item.index < hunk.index);
  return view.edit.parts.length === 0
    ? above.length > 0
    : hunk.parts.every(part => above.some(item => item.parts.includes(part)));
}

function addReasons(
  node: HTMLElement,
  reasons: readonly Pick<EditPart, 'reason' | 'link'>[],
  isHidden: boolean,
  { hunk, trans }: IHunkControls
): void {
  const isDecided = hunk.state === 'accepted' || hunk.state === 'rejected';
  const text = document.createElement('div');
  text.className = 'jp-mle-Hunk-why';
  for (const { link, reason } of reasons) {
    const line = document.createElement('p');
    line.append(reason, ' ');
    if (/^https:\/\//.test(link)) {
      const anchor = document.createElement('a');
      anchor.href = link;
      anchor.target = '_blank';
      anchor.rel = 'noopener noreferrer';
      anchor.textContent = trans.__('Read more');
      line.append(anchor);
    }
    text.append(line);
  }
  const button = makeButton('link', trans.__('Why?'), null);
  const show = (isShown: boolean) => {
    text.hidden = !isShown;
    button.setAttribute('aria-expanded', String(isShown));
  };
  button.addEventListener('click', () => show(text.hidden));
  show(!isHidden && !isDecided);
  node.append(button, text);
}

function makeButton(
  look: string,
  label: string,
  icon: LabIcon | null
): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = `jp-mle-Button jp-mod-${look}`;
  if (icon) {
    const sign = document.createElement('span');
    sign.className = 'jp-mle-Button-icon';
    icon.element({ container: sign });
    button.append(sign);
  }
  const text = document.createElement('span');
  text.textContent = label;
  button.append(text);
  return button;
}
