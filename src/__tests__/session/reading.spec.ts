import { foldFindings, shownReview } from '../../session/reading';
import { layOut } from '../../panel/score/gauge';
import {
  formatClock,
  formatDuration,
  formatCost,
  formatPercent,
  formatScore,
  formatTokens
} from '../../words/numbers';
import { FIXERS, fixerChoice } from '../../session/form/preferences';
import {
  makeEdit,
  makeError,
  makeFinding,
  makeGrade,
  makeIteration,
  makeReview,
  makeSession,
  settings
} from '../values';

describe('errors', () => {
  it('are folded under the cell they follow from', () => {
    const root = makeFinding({ error: makeError({ cell_id: 'c1' }) });
    const cascade = makeFinding({
      kind: 'cascade',
      caused_by: 'c1',
      error: makeError({ cell_id: 'c2' })
    });
    const orphan = makeFinding({ kind: 'cascade', caused_by: 'gone' });
    const harmless = makeFinding({ kind: 'harmless' });
    expect(foldFindings([harmless, root, cascade, orphan])).toEqual({
      roots: [{ root, cascades: [cascade] }],
      orphans: [orphan],
      harmless: [harmless]
    });
  });
});

describe('the review that is shown', () => {
  const edits = [makeEdit()];
  const decided = {
    e0: { state: 'rejected' as const, partial: false, confirmed: false }
  };

  it('is the open one', () => {
    const open = makeReview(edits);
    const session = makeSession({
      iterations: [
        makeIteration({
          reviews: [makeReview(edits, { decisions: decided }), open]
        })
      ]
    });
    expect(shownReview(session)?.review).toBe(open);
  });

  it('is not one of an earlier run that is decided', () => {
    const session = makeSession({
      iterations: [
        makeIteration({ reviews: [makeReview(edits, { decisions: decided })] }),
        makeIteration({ number: 2 })
      ]
    });
    expect(shownReview(session)).toBeNull();
  });

  it('is never what auto mode took into its scratch copy', () => {
    const session = makeSession({
      iterations: [
        makeIteration({ reviews: [makeReview(edits, { adopted: true })] })
      ]
    });
    expect(shownReview(session)).toBeNull();
  });

  it('stays the final one of auto mode once it is decided', () => {
    const final = makeReview(edits, { final: true, decisions: decided });
    const session = makeSession({
      iterations: [
        makeIteration({ reviews: [final] }),
        makeIteration({ number: 2 })
      ]
    });
    expect(shownReview(session)?.review).toBe(final);
  });
});

describe('the gauge', () => {
  const graded = (...scores: number[]) =>
    makeSession({
      settings,
      iterations: scores.map((score, index) =>
        makeIteration({
          number: index + 1,
          grade: makeGrade({
            score,
            within_threshold: Math.abs(score - 0.8) <= 0.08
          })
        })
      )
    });

  it('has target, band and every score in order on its scale', () => {
    const gauge = layOut(graded(0.6, 0.79));
    expect(gauge?.target?.x).toBeGreaterThan(gauge?.target?.from ?? 1);
    expect(gauge?.target?.x).toBeLessThan(gauge?.target?.to ?? 0);
    expect(gauge?.points.map(point => point.number)).toEqual([1, 2]);
    expect(gauge?.points[0].x).toBeLessThan(gauge?.target?.from ?? 0);
    expect(gauge?.points.map(point => point.isInside)).toEqual([false, true]);
    expect(gauge?.points.map(point => point.isCurrent)).toEqual([false, true]);
  });

  it('keeps a score far away at the edge, so that the band can be seen', () => {
    const gauge = layOut(graded(1000, 0.79));
    expect(gauge?.points[0]).toMatchObject({ x: 1, overflow: 1 });
    expect(gauge?.ends[1]).toBeLessThan(2);
  });

  it('stacks scores that are nearly the same', () => {
    const gauge = layOut(graded(0.7, 0.7, 0.7));
    expect(gauge?.points.map(point => point.level)).toEqual([0, 1, 2]);
  });

  it('has a band around a target of zero', () => {
    const session = {
      ...graded(0.05),
      settings: { ...settings, target_score: 0 }
    };
    const gauge = layOut(session);
    expect(gauge?.target?.to).toBeGreaterThan(gauge?.target?.from ?? 1);
  });

  it('shows nothing where there is neither target nor score', () => {
    const session = makeSession({
      settings: { ...settings, target_score: null }
    });
    expect(layOut(session)).toBeNull();
  });

  it('shows one score without a target', () => {
    const session = {
      ...graded(0.7),
      settings: { ...settings, target_score: null }
    };
    expect(layOut(session)?.points).toHaveLength(1);
    expect(layOut(session)?.points[0].x).toBeGreaterThanOrEqual(0);
    // The sample submission's score means nothing without a target.
    expect(layOut(session)?.baseline).toBeNull();
    expect(layOut(graded(0.7))?.baseline?.score).toBe(0.5);
  });
});

describe('numbers for people', () => {
  it.each([
    [0, '0:00'],
    [72.9, '1:12'],
    [600, '10:00'],
    [3725, '1:02:05'],
    [-3, '0:00']
  ])('a clock of %d', (seconds, text) => {
    expect(formatClock(seconds)).toBe(text);
  });

  it.each([
    [0.25, '0.25 s'],
    [1.26, '1.3 s'],
    [72.4, '72 s'],
    [600, '10 min'],
    [150, '2 min 30 s'],
    [5400, '1 h 30 min'],
    [32400, '9 h']
  ])('a duration of %d', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });

  it.each([
    [0, '0'],
    [0.837612, '0.83761'],
    [1234.5678, '1234.6'],
    [0.0000123, '1.230e-5']
  ])('a score of %d', (score, text) => {
    expect(formatScore(score)).toBe(text);
  });

  it('percent, tokens and cost', () => {
    expect(formatPercent(0.2691)).toBe('26.9 %');
    expect(formatPercent(0.0004)).toBe('0.04 %');
    expect(formatTokens(18240)).toBe('18.2k');
    expect(formatCost(0.0478)).toBe('$0.048');
    expect(formatCost(0.31)).toBe('$0.31');
    expect(formatCost(0)).toBe('$0');
  });
});

describe('the choice of fixers', () => {
  it('stands for a list and back', () => {
    for (const choice of ['rules', 'llm', 'rules-llm'] as const) {
      expect(fixerChoice(FIXERS[choice])).toBe(choice);
    }
  });
});
