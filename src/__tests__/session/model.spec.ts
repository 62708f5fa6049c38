import {
  makeSession,
  said,
  settings,
  settle,
  sourcesOf,
  wireNotebook
} from '../values';

import { next, open, reviewing, SOURCES } from '../fakeServer';

describe('a notebook without a session', () => {
  it('has the competition that was found in its paths', async () => {
    const { model } = await open(null);
    expect(model.session).toBeNull();
    expect(model.draft.competition).toBe('titanic');
    expect(model.detected?.reason).toEqual(said('It reads titanic.'));
  });

  it('gets a session with the settings of the form, and runs what is in the document', async () => {
    const { model, requests } = await open(null);
    model.edit({ target_score: 0.9, mode: 'auto' });
    await model.actions.run();
    const made = requests.find(
      item => /^sessions(\?|$)/.test(item.route) && item.method === 'POST'
    );
    expect(made?.body).toMatchObject({
      path: 'old/titanic.ipynb',
      settings: { target_score: 0.9, mode: 'auto' }
    });
    const run = requests.find(item => item.route.includes('/runs'));
    expect(run?.body).toEqual({
      notebook: wireNotebook(SOURCES),
      fresh: false
    });
    expect(model.isWorking).toBe(true);
  });

  it('does not run while a field of the form is wrong', async () => {
    const { model, requests } = await open(null);
    model.edit({ target_score: NaN });
    await model.actions.run();
    expect(requests.some(item => item.route.includes('/runs'))).toBe(false);
  });

  it('shows why the server refused, and loses nothing', async () => {
    const { document, model, server } = await open(null);
    server.refuse = request =>
      request.method === 'POST'
        ? {
            status: 400,
            body: { code: 'bad_notebook', message: 'It is empty.' }
          }
        : null;
    await model.actions.run();
    expect(model.problem).toEqual({
      code: 'bad_notebook',
      message: 'It is empty.',
      cellId: null
    });
    expect(sourcesOf(document.shared)).toEqual(SOURCES);
  });
});

describe('a sandbox that does not isolate', () => {
  it.each([
    [true, 1],
    [false, 0]
  ])('runs the notebook only with a yes: %s', async (agrees, runs) => {
    const { model, requests } = await open(makeSession(), SOURCES, agrees);
    model.edit({ sandbox: 'process' });
    await model.actions.run();
    expect(requests.filter(item => item.route.includes('/runs'))).toHaveLength(
      runs
    );
  });

  it('is no question where the sandbox isolates', async () => {
    const { model, requests } = await open(makeSession(), SOURCES, false);
    await model.actions.run();
    expect(requests.some(item => item.route.includes('/runs'))).toBe(true);
  });
});

describe('a session', () => {
  it('that the server has forgotten is left behind', async () => {
    const { model, server } = await open(makeSession());
    server.session = null;
    await model.refresh();
    expect(model.session).toBeNull();
    expect(model.problem?.code).toBe('not_found');
  });

  it('is found again when the notebook is opened again', async () => {
    const { model } = await open(makeSession({ phase: 'running', seq: 8 }));
    expect(model.session?.seq).toBe(8);
    expect(model.isWorking).toBe(true);
  });

  it('takes changed settings before it runs again', async () => {
    const { model, requests } = await open(makeSession());
    model.edit({ threshold: 0.05 });
    await model.actions.run();
    const routes = requests.map(item => item.method);
    expect(routes.indexOf('PATCH')).toBeGreaterThan(-1);
    expect(routes.indexOf('PATCH')).toBeLessThan(routes.lastIndexOf('POST'));
    expect(model.session?.settings.threshold).toBe(0.05);
  });

  it('keeps what is typed in the form while states come in', async () => {
    const { emit, model, server } = await open(
      makeSession({ phase: 'running' })
    );
    model.edit({ target_score: 0.7 }, { target_score: '0.70' });
    server.next({ phase: 'grading' });
    emit({ session_id: server.session?.id, seq: server.session?.seq });
    await settle();
    expect(model.session?.phase).toBe('grading');
    expect(model.draft.target_score).toBe(0.7);
    expect(model.typed.target_score).toBe('0.70');
  });

  it('tells when work has come to its end', async () => {
    const { emit, model, server } = await open(
      makeSession({ phase: 'running' })
    );
    const rested = next(model.rested);
    server.next({ phase: 'finished', verdict: 'reproduced' });
    emit({ session_id: server.session?.id, seq: server.session?.seq });
    expect((await rested).verdict).toBe('reproduced');
  });

  it('can be cancelled', async () => {
    const { model } = await open(makeSession({ phase: 'running' }));
    await model.actions.cancel();
    expect(model.session?.phase).toBe('cancelled');
  });

  it('asks for a fix of the notebook as it is now, where it was changed', async () => {
    const { document, model, requests, server } = await open(reviewing());
    server.notebooks.set('a'.repeat(64), wireNotebook(SOURCES));
    await model.actions.proposeFix({ fix_type: 'score-calibration' });
    document.shared.getCell(0).setSource('changed');
    server.next({ phase: 'reviewing' });
    await model.refresh();
    await model.actions.proposeFix({ scope: 'cell' });
    const bodies = requests
      .filter(item => item.route.includes('/fixes'))
      .map(item => item.body);
    expect(bodies).toEqual([
      { fix_type: 'score-calibration', notebook: null },
      {
        scope: 'cell',
        notebook: wireNotebook(['changed', ...SOURCES.slice(1)])
      }
    ]);
  });

  it('brings the sources of an iteration back', async () => {
    const { document, model, server } = await open(reviewing());
    server.notebooks.set('a'.repeat(64), wireNotebook(['first', 'second']));
    expect(await model.restore(1)).toBe(4);
    expect(sourcesOf(document.shared)).toEqual(['first', 'second']);
    document.shared.undo();
    expect(sourcesOf(document.shared)).toEqual(SOURCES);
  });

  it('leaves itself behind for a new one', async () => {
    const { model } = await open(reviewing());
    model.startOver();
    expect(model.session).toBeNull();
    expect(model.draft.target_score).toBe(settings.target_score);
  });
});
