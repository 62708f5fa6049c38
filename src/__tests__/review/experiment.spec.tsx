import { act, fireEvent, render, screen } from '@testing-library/react';
import * as React from 'react';

import type { Verdict } from '../../api/types';
import { PanelContext } from '../../ui/context';
import { isGood } from '../../session/reading';
import { standCaption, standLabel } from '../../words/labels';
import { EditList } from '../../review/EditList';
import { open, reviewing, SOURCES } from '../fakeServer';
import {
  makeEdit,
  makeReview,
  makeSession,
  settings,
  sourcesOf,
  trans
} from '../values';
import { labelOf } from '../../words/message';

function bold() {
  return makeReview([
    makeEdit({
      id: 'e0',
      cell_id: 'c0',
      base_source: SOURCES[0],
      base_hash: 'h0',
      new_source: 'import pandas'
    }),
    makeEdit({
      id: 'e1',
      cell_id: 'c1',
      base_source: SOURCES[1],
      base_hash: 'h1',
      new_source: 'df = df.sample(10)',
      meaning: 'experiment'
    })
  ]);
}

function show(element: JSX.Element) {
  render(
    <PanelContext.Provider
      value={{ trans, languages: null, execute: jest.fn() }}
    >
      {element}
    </PanelContext.Provider>
  );
}

describe('a change of the experiment', () => {
  it('is not taken by "Accept all"', async () => {
    const { decisions, document, model } = await open(reviewing(bold()));
    await model.review.acceptAll();
    expect(Object.keys(decisions()[0].decisions)).toEqual(['e0']);
    expect(sourcesOf(document.shared)[1]).toBe(SOURCES[1]);
    expect(model.review.undecided.map(view => view.edit.id)).toEqual(['e1']);
  });

  it('is not accepted by itself either before the yes, nor is a part of it', async () => {
    const { decisions, model } = await open(reviewing(bold()));
    await model.review.accept('e1');
    await model.review.decideHunk('e1', 0, 'accepted');
    expect(decisions()).toEqual([]);
    await model.review.reject('e1');
    expect(decisions()[0].decisions.e1.state).toBe('rejected');
  });

  it('is accepted after the yes, and the server is told of it', async () => {
    const { decisions, document, model } = await open(reviewing(bold()));
    model.review.consent('e1', true);
    await model.review.accept('e1');
    expect(decisions()[0].decisions).toEqual({
      e1: { state: 'accepted', partial: false, confirmed: true }
    });
    expect(sourcesOf(document.shared)[1]).toBe('df = df.sample(10)');
  });

  it('needs no yes where the settings allow it', async () => {
    const session = reviewing(bold());
    const { decisions, model } = await open({
      ...session,
      settings: { ...settings, allow_experiment_changes: true }
    });
    await model.review.acceptAll();
    expect(Object.keys(decisions()[0].decisions)).toEqual(['e0', 'e1']);
  });

  it('is marked, and its button waits for the tick', async () => {
    const { model } = await open(reviewing(bold()));
    model.review.select('e1');
    show(<EditList model={model} />);
    expect(
      screen.getByText('Changes the experiment', {
        selector: '.jp-mle-Meaning'
      })
    ).toBeVisible();
    expect(
      screen.getByText(/1 change to the experiment is not included/)
    ).toBeVisible();
    const accept = screen.getByRole('button', { name: 'Accept' });
    expect(accept).toBeDisabled();
    const box = screen.getByRole('checkbox', { name: /Yes, I want/ });
    fireEvent.click(box);
    expect(box).toBeChecked();
    expect(accept).toBeEnabled();
    fireEvent.click(box);
    expect(accept).toBeDisabled();
  });
});

describe('an edit that no run got to', () => {
  it('says so in its bar, and others do not', async () => {
    const [first, second] = bold().proposal.edits;
    const review = makeReview([first, { ...second, unseen: true }]);
    const { model } = await open(reviewing(review));
    model.review.select('e0');
    show(<EditList model={model} />);
    expect(screen.queryByText('Not run yet')).toBeNull();
    act(() => model.review.select('e1'));
    expect(screen.getByText('Not run yet')).toBeVisible();
  });
});

describe('verdicts', () => {
  const all: Verdict[] = [
    'reproduced',
    'within-noise',
    'above-target',
    'below-target',
    'target-implausible',
    'grader-mismatch',
    'needs-external-data',
    'non-deterministic',
    'cannot-run',
    'not-python',
    'needs-time',
    'awaits-yes',
    'no-fix',
    'not-examined',
    'as-saved',
    'budget-spent',
    'reached',
    'not-proven',
    'no-progress'
  ];

  it('name the way out of a cell that is text', () => {
    const session = makeSession({ phase: 'finished', verdict: 'not-python' });
    expect(standCaption(session, trans)).toMatch(/change the cell to Markdown/);
  });

  it('have a name of their own each', () => {
    const names = all.map(verdict => labelOf('verdict', verdict, trans));
    expect(new Set(names).size).toBe(all.length);
    expect(all.filter(isGood)).toHaveLength(3);
  });

  it('stand where a session is over or waits for a yes', () => {
    const label = (phase: 'reviewing' | 'finished', verdict: Verdict) =>
      standLabel(makeSession({ phase, verdict }), trans);
    expect(label('finished', 'below-target')).toBe('Below the target');
    expect(label('reviewing', 'reproduced')).toBe('Your review');
    expect(label('reviewing', 'awaits-yes')).toBe('Needs your confirmation');
  });
});
