import {
  recordedSettings,
  recordTarget
} from '../../../session/document/recorded';
import { makeNotebook, settings } from '../../values';

const known = ['titanic'];

describe('settings recorded in a notebook', () => {
  it('are competition, target score and time limit', () => {
    const metadata = {
      mle_modernizer: {
        competition: 'titanic',
        target_score: 0.79,
        time_limit: 20,
        target_source: 'ignored'
      }
    };
    expect(recordedSettings(metadata, known)).toEqual({
      competition: 'titanic',
      target_score: 0.79,
      time_limit: 20
    });
  });

  it('are also what kind of score the target is, and what the threshold is put on', () => {
    const metadata = {
      mle_modernizer: { target_kind: 'printed', distance: 'floor' }
    };
    expect(recordedSettings(metadata, known)).toEqual({
      target_kind: 'printed',
      distance: 'floor'
    });
    const wrong = { mle_modernizer: { target_kind: 'guessed', distance: 7 } };
    expect(recordedSettings(wrong, known)).toEqual({});
  });

  it('leave out a competition the server does not have', () => {
    const metadata = { mle_modernizer: { competition: 'other' } };
    expect(recordedSettings(metadata, known)).toEqual({});
  });

  it.each([
    [{}],
    [{ mle_modernizer: null }],
    [{ mle_modernizer: 'titanic' }],
    [
      {
        mle_modernizer: {
          competition: 7,
          target_score: '0.79',
          time_limit: -1
        }
      }
    ],
    [{ mle_modernizer: { target_score: NaN, time_limit: Infinity } }]
  ])('leave out what is of the wrong kind: %j', metadata => {
    expect(recordedSettings(metadata, known)).toEqual({});
  });
});

describe('the target of a run', () => {
  const printed = { ...settings, target_kind: 'printed' } as const;

  it('is kept in the notebook with kind and distance, beside what stands there', () => {
    const notebook = makeNotebook(['1']);
    notebook.setMetadata('mle_modernizer', { note: 'mine' });
    recordTarget(notebook, { ...printed, distance: 'floor' });
    expect(notebook.getMetadata('mle_modernizer')).toEqual({
      note: 'mine',
      competition: 'titanic',
      target_score: 0.8,
      target_kind: 'printed',
      distance: 'floor'
    });
    expect(recordedSettings(notebook.metadata, known)).toMatchObject({
      target_score: 0.8,
      target_kind: 'printed',
      distance: 'floor'
    });
  });

  it('changes nothing where there is none, or where the notebook says it already', () => {
    const notebook = makeNotebook(['1']);
    recordTarget(notebook, { ...settings, target_score: null });
    expect(notebook.getMetadata('mle_modernizer')).toBeUndefined();
    const said = { competition: 'titanic', target_score: 0.8 };
    notebook.setMetadata('mle_modernizer', said);
    recordTarget(notebook, settings);
    expect(notebook.getMetadata('mle_modernizer')).toEqual(said);
  });

  it('takes the place of something that is no object', () => {
    const notebook = makeNotebook(['1']);
    notebook.setMetadata('mle_modernizer', 'nonsense');
    recordTarget(notebook, printed);
    expect(notebook.getMetadata('mle_modernizer')).toMatchObject({
      target_score: 0.8
    });
  });
});
