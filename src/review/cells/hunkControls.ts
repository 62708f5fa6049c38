import { checkIcon, closeIcon, undoIcon } from '@jupyterlab/ui-components';
import type { LabIcon } from '@jupyterlab/ui-components';
import type { TranslationBundle } from '@jupyterlab/translation';

import type { EditPart } from '../../api/types';
import type { IEditView, IHunkView } from '../change';
import type { Wish } from '../model';
import { elsewhereText } from './CellBar';

/** A reason: all of it, its short form if it has one, and a page about it. */
type Reason = Pick<EditPart, 'reason' | 'short' | 'link'>;

/** Properties of the controls of a hunk. */
export interface IHunkControls {
  /** The edit. */
  view: IEditView;
  /** One of its hunks. */
  hunk: IHunkView;
  /** Number of edits decided together with it. */
  together: number;
  /** Names of the cells of the other edits decided together with it. */
  others: string;
  /** Whether decisions are possible. */
  isEnabled: boolean;
  /** For the labels. */
  trans: TranslationBundle;
  /** A decision. */
  onWish: (wish: Wish) => void;
  /** A decision on this edit without those it needs. */
  onAlone: (wish: Wish) => void;
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
  // A button in the editor that takes the focus puts the notebook into edit mode.
  node.addEventListener('mousedown', event => {
    if (event.target instanceof Element && event.target.closest('button')) {
      event.preventDefault();
    }
  });
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
  const { isEnabled, together } = options;
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
      if (view.isElsewhere) {
        node.append(textOf('span', 'jp-mle-Hunk-state', elsewhereText(trans)));
      }
      add('accept', trans.__('Apply again'), checkIcon, 'accepted');
      break;
    case 'accepted':
    case 'rejected':
    case 'stale':
      node.append(textOf('span', 'jp-mle-Hunk-state', stateText(hunk, trans)));
      if (view.canUndo) {
        add('plain', trans.__('Undo'), undoIcon, 'pending');
      }
      break;
  }
  if (options.others !== '' && hunk.index === 0) {
    const note = textOf(
      'p',
      'jp-mle-Hunk-why',
      `${trans.__('Goes together with %1.', options.others)} `
    );
    const alone =
      view.status === 'pending'
        ? 'accepted'
        : view.status === 'accepted' && view.canUndo
          ? 'pending'
          : null;
    if (alone) {
      const button = makeButton(
        'link',
        alone === 'accepted'
          ? trans.__('Only this cell…')
          : trans.__('Undo only this cell…'),
        null
      );
      button.disabled = !isEnabled || view.consent === 'missing';
      button.addEventListener('click', () => options.onAlone(alone));
      note.append(button);
    }
    node.append(note);
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

function stateText({ state }: IHunkView, trans: TranslationBundle): string {
  return state === 'accepted'
    ? trans.__('Accepted')
    : state === 'rejected'
      ? trans.__('Rejected')
      : trans.__('Out of date');
}

/** Return a sentence with names of code between backticks as nodes. */
function proseOf(text: string): Node[] {
  return text.split(/`([^`\n]+)`/).map((part, index) => {
    if (index % 2 === 0) {
      return document.createTextNode(part);
    }
    const code = document.createElement('code');
    code.textContent = part;
    return code;
  });
}

function textOf(
  tag: 'p' | 'span',
  className: string,
  text: string
): HTMLElement {
  const node = document.createElement(tag);
  node.className = className;
  node.textContent = text;
  return node;
}

/**
 * Return the reasons of a hunk; an edit without rules has one for all of it.
 */
function reasonsOf(view: IEditView, hunk: IHunkView): readonly Reason[] {
  const { edit } = view;
  if (edit.parts.length > 0) {
    return hunk.parts;
  }
  return edit.reason
    ? [{ reason: edit.reason, short: '', link: edit.link }]
    : [];
}

function isSaidAbove(view: IEditView, hunk: IHunkView): boolean {
  const above = view.hunks.filter(item => item.index < hunk.index);
  return view.edit.parts.length === 0
    ? above.length > 0
    : hunk.parts.every(part => above.some(item => item.parts.includes(part)));
}

/**
 * Add the reasons of a hunk in short, and *Why?* for all of them; a decided hunk
 * and one whose reasons are said above have only *Why?*.
 */
function addReasons(
  node: HTMLElement,
  reasons: readonly Reason[],
  isSaid: boolean,
  { hunk, trans }: IHunkControls
): void {
  const isDecided = hunk.state === 'accepted' || hunk.state === 'rejected';
  const isFolded = isSaid || isDecided;
  const isShort = reasons.some(({ short }) => short !== '');
  const text = document.createElement('div');
  text.className = 'jp-mle-Hunk-why';
  for (const { link, reason } of reasons) {
    const line = document.createElement('p');
    line.append(...proseOf(reason), ' ');
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
  text.hidden = isFolded || isShort;
  if (text.hidden) {
    const button = makeButton('link', trans.__('Why?'), null);
    button.setAttribute('aria-expanded', 'false');
    button.addEventListener('click', () => {
      text.hidden = !text.hidden;
      button.setAttribute('aria-expanded', String(!text.hidden));
    });
    node.append(isFolded ? button : inShort(reasons, button));
  }
  node.append(text);
}

/** Return the short forms of reasons, and the button for all of them. */
function inShort(
  reasons: readonly Reason[],
  button: HTMLButtonElement
): HTMLElement {
  const node = document.createElement('div');
  node.className = 'jp-mle-Hunk-why';
  for (const [index, { reason, short }] of reasons.entries()) {
    const line = document.createElement('p');
    line.append(...proseOf(short || reason));
    if (index === reasons.length - 1) {
      line.append(' ', button);
    }
    node.append(line);
  }
  return node;
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
