import { type IQuestions } from '../../session/options';
import { Modernization } from '../../review/modernization';
import { FakeServer, open, reviewing, SOURCES } from '../fakeServer';
import {
  FakeDocument,
  info,
  makeClient,
  makeDiagnosis,
  makeHints,
  makeIteration,
  makeNotebook,
  makeQuestions,
  makeSession,
  settle,
  trans,
  wireNotebook
} from '../values';

async function asking(
  session: ReturnType<typeof makeSession> | null,
  questions: Partial<IQuestions>
) {
  const server = new FakeServer(session);
  const hash = session?.iterations[0]?.notebook_hash ?? '';
  server.notebooks.set(hash, wireNotebook(SOURCES));
  const { client, requests } = makeClient(server.answer);
  const llm = { ...info.llm, configured: true, model: 'gpt' };
  const model = new Modernization({
    client,
    document: new FakeDocument(makeNotebook(SOURCES)),
    hints: makeHints().hints,
    info: { ...info, llm },
    preferences: {},
    questions: makeQuestions(questions),
    trans
  });
  await model.load();
  await settle();
  const sent = (route: string) =>
    requests.filter(item => item.route.endsWith(route));
  return { model, sent };
}

const ran = makeSession({
  iterations: [makeIteration({ diagnosis: makeDiagnosis() })]
});

describe('running past a review', () => {
  it('asks, and does nothing on a no', async () => {
    const runWithout = jest.fn(() => Promise.resolve(false));
    const { model, sent } = await asking(reviewing(), { runWithout });
    await model.actions.run();
    expect(runWithout).toHaveBeenCalledWith(3);
    expect(sent('/runs')).toEqual([]);
    expect(model.review.undecided).toHaveLength(3);
  });

  it('asks nothing where everything is decided', async () => {
    const runWithout = jest.fn(() => Promise.resolve(false));
    const { model, sent } = await asking(ran, { runWithout });
    await model.actions.run();
    expect(runWithout).not.toHaveBeenCalled();
    expect(sent('/runs')).toHaveLength(1);
  });
});

describe('leaving a session behind', () => {
  it('asks first', async () => {
    const startOver = jest.fn(() => Promise.resolve(false));
    const { model } = await asking(ran, { startOver });
    await model.actions.startOver();
    expect(model.session).not.toBeNull();
    startOver.mockResolvedValue(true);
    await model.actions.startOver();
    expect(model.session).toBeNull();
  });
});

describe('the first use of a model', () => {
  it('is not asked about where none is configured', async () => {
    const { model, requests } = await open(null);
    const sendToModel = jest.spyOn(makeQuestions(), 'sendToModel');
    await model.actions.run();
    expect(sendToModel).not.toHaveBeenCalled();
    expect(requests.some(item => item.route.endsWith('/runs'))).toBe(true);
  });

  it('runs with rules alone where that is wished', async () => {
    const { model, sent } = await asking(null, {
      sendToModel: () => Promise.resolve('rules-only')
    });
    await model.actions.run();
    expect(sent('sessions')[0].body).toMatchObject({
      settings: { fixers: ['rules'] }
    });
    expect(sent('/runs')).toHaveLength(1);
  });

  it('does nothing on a no', async () => {
    const { model, sent } = await asking(null, {
      sendToModel: () => Promise.resolve('cancel')
    });
    await model.actions.run();
    expect(sent('sessions')).toEqual([]);
  });

  it('can show the very text once the notebook has run', async () => {
    const sendToModel = jest.fn<
      ReturnType<IQuestions['sendToModel']>,
      Parameters<IQuestions['sendToModel']>
    >(() => Promise.resolve('send'));
    const { model, sent } = await asking(ran, { sendToModel });
    await model.actions.proposeFix({ fixers: ['llm'] });
    const [[llm, preview]] = sendToModel.mock.calls;
    expect(llm.model).toBe('gpt');
    await preview?.();
    expect(sent('/prompt')).toHaveLength(1);
    expect(sent('/fixes')[0].body).toMatchObject({ fixers: ['llm'] });
  });
});
