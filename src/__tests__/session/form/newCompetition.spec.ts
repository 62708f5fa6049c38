import { PromiseDelegate } from '@lumino/coreutils';

import type { CompetitionGuess } from '../../../api/types';
import { NewCompetitionModel } from '../../../session/form/newCompetition';
import type { SessionModel } from '../../../session/model';

function guess(change: Partial<CompetitionGuess> = {}): CompetitionGuess {
  return {
    columns: ['id', 'area', 'rooms', 'price'],
    directory: 'homes',
    files: ['homes.csv'],
    id: 'homes',
    id_column: 'id',
    metrics: ['rmse', 'mae'],
    name: 'Homes',
    sample: null,
    split: 'random',
    target_columns: ['price'],
    task: 'regression',
    test: null,
    train: 'homes.csv',
    ...change
  };
}

/**
 * Return a form, and the server's pending answers in the order of the requests.
 */
function form() {
  const answers: PromiseDelegate<CompetitionGuess>[] = [];
  const model = new NewCompetitionModel({
    model: { document: { path: 'homes/a.ipynb' } } as unknown as SessionModel,
    client: {
      lookAtData: () => {
        const answer = new PromiseDelegate<CompetitionGuess>();
        answers.push(answer);
        return answer.promise;
      },
      makeCompetition: () => Promise.reject(new Error('not asked for'))
    }
  });
  return { model, answers };
}

async function looked() {
  const { model, answers } = form();
  const first = model.look();
  answers[0].resolve(guess());
  await first;
  return { model, answers };
}

describe('the form of a new competition', () => {
  it('keeps what is typed while the server looks at another target', async () => {
    const { model, answers } = await looked();
    const edited = model.edit({ target_columns: ['rooms'] });
    await model.edit({ name: 'Rooms', share: '30' });
    await model.edit({ id: 'rooms' });
    answers[1].resolve(guess({ target_columns: ['rooms'] }));
    await edited;
    expect(model.draft).toMatchObject({
      target_columns: ['rooms'],
      name: 'Rooms',
      share: '30',
      id: 'rooms'
    });
  });

  it('takes the answer to the last question, whichever comes first', async () => {
    const { model, answers } = await looked();
    const rooms = model.edit({ target_columns: ['rooms'] });
    const area = model.edit({ target_columns: ['area'] });
    answers[2].resolve(guess({ target_columns: ['area'], metrics: ['mae'] }));
    await area;
    expect(model.isBusy).toBe(true);
    answers[1].resolve(guess({ target_columns: ['rooms'] }));
    await rooms;
    expect(model.isBusy).toBe(false);
    expect(model.draft).toMatchObject({
      target_columns: ['area'],
      metric: 'mae'
    });
  });

  it('says nothing of a directory that was left while it was looked at', async () => {
    const { model, answers } = form();
    const first = model.look();
    model.directory = 'flats';
    answers[0].reject(new Error('no such directory'));
    await first;
    expect(model.problem).toBeNull();
    expect(model.guess).toBeNull();
  });
});
