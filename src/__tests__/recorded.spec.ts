import { recordedSettings } from '../session/recorded';

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
