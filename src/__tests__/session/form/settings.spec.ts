import { settingInputs } from '../../../api/types';
import {
  checkDraft,
  readNumber,
  textOf,
  valueOf
} from '../../../session/form/settings';
import { settings, trans } from '../../values';

const inputs = settingInputs(trans);

function input(name: string) {
  const [match] = inputs.filter(one => one.name === name);
  return match;
}

describe('the settings of the form', () => {
  it('are what was edited', () => {
    const chosen = {
      ...settings,
      distance: 'floor',
      target_kind: 'printed',
      score_reading: { cell_id: 'c3', pattern: 'AUC: {}', which: 'best' }
    } as const;
    expect(checkDraft(chosen, trans)).toEqual({ settings: chosen, errors: {} });
  });

  it('have defaults that their inputs take', () => {
    for (const one of inputs) {
      const value = settings[one.name];
      expect(valueOf(textOf(value, one), one)).toEqual(value);
    }
  });

  it.each(['AUC', '{} or {}', ''])('refuse the pattern %j', pattern => {
    const reading = { cell_id: null, pattern, which: 'last' } as const;
    const checked = checkDraft({ ...settings, score_reading: reading }, trans);
    expect(checked.settings).toBeNull();
    expect(checked.errors.score_reading).toMatch(/needs {} once/);
  });

  it.each([
    ['threshold', 0.07, '7'],
    ['time_limit', 90, '1.5'],
    ['max_seconds', 5400, '90'],
    ['max_tokens', null, ''],
    ['era', '2018', '2018']
  ])('show %s %j as %j, and read it again', (name, value, text) => {
    expect(textOf(value, input(name))).toBe(text);
    expect(valueOf(` ${text} `, input(name))).toBe(value);
  });

  it.each([
    ['threshold', '0', 'Type a number above 0 and at most 1000.'],
    ['threshold', '1001', 'Type a number above 0 and at most 1000.'],
    ['threshold', '', 'Type a number above 0 and at most 1000.'],
    ['time_limit', '10081', 'Type a number above 0 and at most 10080.'],
    ['max_fixes', '1.5', 'Type a whole number from 0 to 1000.'],
    ['patience', '0', 'Type a whole number from 1 to 1000.'],
    [
      'max_tokens',
      '0',
      'Type a whole number of at least 1. Or leave it empty.'
    ],
    ['max_usd', '-1', 'Type a number above 0. Or leave it empty.'],
    ['max_seconds', 'soon', 'Type a number above 0. Or leave it empty.'],
    [
      'target_score',
      'high',
      'Type a number, for example 0.8123. Or leave it empty.'
    ]
  ])('refuse %s %j with a sentence', (name, text, sentence) => {
    const draft = { ...settings, [name]: valueOf(text, input(name)) };
    expect(checkDraft(draft, trans)).toEqual({
      settings: null,
      errors: { [name]: sentence }
    });
  });
});

describe('a typed number', () => {
  it.each([
    ['0', 0],
    ['-1.5', -1.5],
    ['0,81', 0.81],
    ['1e-3', 0.001],
    [' .5 ', 0.5],
    ...['abc', '1.2.3', 'NaN', 'Infinity', '1e999', '0x10', '1,234,5'].map(
      (text): [string, number] => [text, NaN]
    )
  ])('%j is %d', (typed, value) => {
    expect(readNumber(typed)).toBe(value);
  });
});
