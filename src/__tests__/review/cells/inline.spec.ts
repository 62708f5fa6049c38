import { EditorView } from '@codemirror/view';

import { framesOf } from '../../../review/cells/frames';
import { hunkControls } from '../../../review/cells/hunkControls';
import { inlineReview, showInline } from '../../../review/cells/inline';
import type { IEditView } from '../../../review/change';
import { EditLook } from '../../../review/look';
import { makeEdit, makeError, trans } from '../../values';

const OLD = 'import numpy as np\nx = np.float(3)\nprint(x)';
const PART = {
  rule: 'aliases',
  what: 'np.float is gone.',
  reason: 'Would fail: np.float is gone.',
  link: 'https://numpy.org/',
  lines: [2],
  short: '',
  places: 1
};

function view(source = OLD, change: Partial<IEditView> = {}): IEditView {
  const look = new EditLook(
    makeEdit({
      base_source: OLD,
      new_source: OLD.replace('np.float(3)', 'float(3)\n# new'),
      parts: [PART]
    })
  );
  return {
    ...look.at({
      place: 'c0',
      source,
      decision: { state: 'pending', partial: false, confirmed: false },
      claims: null,
      rejected: new Set(),
      hasAnchor: true,
      consent: 'not-needed',
      canUndo: true,
      canRestore: false
    }),
    ...change
  };
}

function editor(doc = OLD): EditorView {
  return new EditorView({
    doc,
    extensions: [inlineReview()],
    parent: document.body
  });
}

function show(live: EditorView, edit: IEditView) {
  live.dispatch({
    effects: showInline.of({
      hunks: edit.hunks,
      current: null,
      version: '1',
      controls: () => document.createElement('button')
    })
  });
}

describe("an edit in a cell's own editor", () => {
  it('stands between the lines and is no part of the text', () => {
    const live = editor();
    show(live, view());
    expect(live.state.doc.toString()).toBe(OLD);
    const gone = [...live.dom.querySelectorAll('.jp-mle-Inline-gone')];
    expect(gone.map(line => line.textContent)).toEqual(['x = np.float(3)']);
    const come = [...live.dom.querySelectorAll('.jp-mle-Inline-line')];
    expect(come.map(line => line.textContent)).toEqual([
      'x = float(3)',
      '# new'
    ]);
    expect(live.dom.querySelectorAll('button')).toHaveLength(1);
    live.destroy();
  });

  it('moves with what is typed above, and goes when it is taken away', () => {
    const live = editor();
    show(live, view());
    live.dispatch({ changes: { from: 0, insert: '# mine\n' } });
    expect(live.dom.querySelector('.jp-mle-Inline-gone')?.textContent).toBe(
      'x = np.float(3)'
    );
    live.dispatch({ effects: showInline.of(null) });
    expect(live.dom.querySelector('.jp-mle-Inline')).toBeNull();
    live.destroy();
  });

  it('marks the lines that were accepted', () => {
    const fresh = OLD.replace('np.float(3)', 'float(3)\n# new');
    const live = editor(fresh);
    show(live, view(fresh));
    expect(live.dom.querySelectorAll('.jp-mle-Inline-taken')).toHaveLength(2);
    expect(live.dom.querySelector('.jp-mle-Inline-fresh')).toBeNull();
    live.destroy();
  });
});

describe('the controls of a hunk', () => {
  const onAlone = jest.fn();
  const made = (edit: IEditView, onWish = jest.fn(), together = 1) => {
    const node = hunkControls({
      hunk: edit.hunks[0],
      view: edit,
      together,
      others: together > 1 ? 'cell 2' : '',
      isEnabled: true,
      trans,
      onWish,
      onAlone
    });
    return [...node.querySelectorAll('button')];
  };

  it('say what they do and do it', () => {
    const onWish = jest.fn();
    const buttons = made(view(), onWish);
    expect(buttons.map(button => button.textContent)).toEqual([
      'Accept',
      'Reject'
    ]);
    buttons[0].click();
    buttons[1].click();
    expect(onWish.mock.calls).toEqual([['accepted'], ['rejected']]);
  });

  it('fold the reason of a decided change', () => {
    const [, why] = made(view(OLD.replace('np.float(3)', 'float(3)\n# new')));
    expect(why.textContent).toBe('Why?');
    expect(why.getAttribute('aria-expanded')).toBe('false');
    why.click();
    expect(why.getAttribute('aria-expanded')).toBe('true');
  });

  it('say the short reason, and all of it behind Why?', () => {
    const part = {
      rule: 'numpy-builtin-aliases',
      what: '',
      reason: 'NumPy 1.24 removed np.int, np.float and np.bool.',
      short: '`np.float` was removed in NumPy 1.24. Fix: `float`.',
      link: 'https://numpy.org',
      lines: [],
      places: 1
    };
    const pending = view();
    const node = hunkControls({
      hunk: { ...pending.hunks[0], parts: [part] },
      view: { ...pending, edit: { ...pending.edit, parts: [part] } },
      together: 1,
      others: '',
      isEnabled: true,
      trans,
      onWish: jest.fn(),
      onAlone
    });
    const [brief, whole] =
      node.querySelectorAll<HTMLElement>('.jp-mle-Hunk-why');
    expect(brief.textContent).toBe(
      'np.float was removed in NumPy 1.24. Fix: float. Why?'
    );
    expect(brief.querySelector('code')?.textContent).toBe('np.float');
    expect(whole.hidden).toBe(true);
    brief.querySelector('button')?.click();
    expect(whole.hidden).toBe(false);
    expect(whole.textContent).toContain(part.reason);
  });

  it('leave the focus where it is when the mouse presses them', () => {
    const [accept] = made(view());
    const press = new MouseEvent('mousedown', {
      bubbles: true,
      cancelable: true
    });
    accept.dispatchEvent(press);
    expect(press.defaultPrevented).toBe(true);
  });

  it('wait for the yes that a change of the experiment needs', () => {
    const [accept, reject] = made(view(OLD, { consent: 'missing' }));
    expect(accept.disabled).toBe(true);
    expect(reject.disabled).toBe(false);
  });

  it('say how many cells are decided together', () => {
    const [accept, , alone] = made(view(), jest.fn(), 3);
    expect(accept.textContent).toBe('Accept in 3 cells');
    alone.click();
    expect(onAlone).toHaveBeenCalledWith('accepted');
  });

  it('take a decision back', () => {
    const [undo] = made(view(OLD.replace('np.float(3)', 'float(3)\n# new')));
    expect(undo.textContent).toBe('Undo');
  });
});

describe('the places a traceback leads through', () => {
  it('are lines of cells, outermost first, each once', () => {
    const error = makeError({
      cell_id: 'c2',
      line: 3,
      traceback: [
        'Cell \x1b[0;32mIn[2], line 3\x1b[0m\n----> 3 f()',
        'File /usr/lib/python3.11/site.py:5, in g()',
        'Cell In[1], line 7, in f()'
      ]
    });
    expect(framesOf(error, ['c0', 'c2'])).toEqual([
      { cellId: 'c2', line: 3 },
      { cellId: 'c0', line: 7 }
    ]);
  });

  it('are at least the line that failed', () => {
    const error = makeError({ cell_id: 'c2', line: 4, traceback: [] });
    expect(framesOf(error, [])).toEqual([{ cellId: 'c2', line: 4 }]);
  });
});
