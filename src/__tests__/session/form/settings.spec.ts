import { checkDraft, toDraft } from '../../../session/form/settings';
import { settings, trans } from '../../values';

const draft = toDraft(settings);

describe('the target form', () => {
  it('gives back the settings it shows', () => {
    expect(checkDraft(draft, trans)).toEqual({ settings, errors: {} });
  });

  it('gives back how scores are compared and where one is read', () => {
    const chosen = {
      ...settings,
      distance: 'floor',
      target_kind: 'printed',
      score_reading: { cell_id: 'c3', pattern: 'AUC: {}', which: 'best' }
    } as const;
    expect(checkDraft(toDraft(chosen), trans)).toEqual({
      settings: chosen,
      errors: {}
    });
  });

  it.each(['AUC', '{} or {}', ''])(
    'refuses the pattern %j only where a score is read',
    scorePattern => {
      const reading = { ...draft, readsScore: true, scorePattern };
      const checked = checkDraft(reading, trans);
      expect(checked.settings).toBeNull();
      expect(checked.errors.scorePattern).toMatch(/needs {} once/);
      const unused = { ...reading, readsScore: false };
      expect(checkDraft(unused, trans).settings).toEqual(settings);
    }
  );

  it('shows percent and minutes without the noise of binary fractions', () => {
    const shown = toDraft({ ...settings, threshold: 0.07, time_limit: 90 });
    expect(shown.threshold).toBe('7');
    expect(shown.timeLimit).toBe('1.5');
  });

  it('takes an empty target score for none', () => {
    const { settings: checked } = checkDraft(
      { ...draft, targetScore: '  ' },
      trans
    );
    expect(checked?.target_score).toBeNull();
  });

  it.each([
    ['0', 0],
    ['-1.5', -1.5],
    ['0,81', 0.81],
    ['1e-3', 0.001],
    [' .5 ', 0.5]
  ])('understands the target score %j', (typed, value) => {
    const { settings: checked } = checkDraft(
      { ...draft, targetScore: typed },
      trans
    );
    expect(checked?.target_score).toBe(value);
  });

  it.each(['abc', '1.2.3', 'NaN', 'Infinity', '1e999', '0x10', '1,234,5'])(
    'refuses the target score %j with a sentence',
    typed => {
      const checked = checkDraft({ ...draft, targetScore: typed }, trans);
      expect(checked.settings).toBeNull();
      expect(checked.errors.targetScore).toMatch(/must be a number/);
    }
  );

  it.each([
    ['threshold', '0'],
    ['threshold', '1001'],
    ['timeLimit', '-1'],
    ['timeLimit', '10081'],
    ['maxFixes', '1.5'],
    ['maxFixes', '']
  ] as const)('refuses %s %j', (field, typed) => {
    const checked = checkDraft({ ...draft, [field]: typed }, trans);
    expect(checked.settings).toBeNull();
    expect(Object.keys(checked.errors)).toEqual([field]);
  });
});
