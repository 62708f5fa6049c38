import {
  makeEdit,
  makeIteration,
  makeReview,
  settle,
  sourcesOf,
  wireNotebook
} from '../values';

import { open, proposal, reviewing, SOURCES } from '../fakeServer';

describe('a review', () => {
  it('touches the document only when an edit is accepted, and tells the server first', async () => {
    const { decisions, document, model } = await open(reviewing());
    expect(sourcesOf(document.shared)).toEqual(SOURCES);
    await model.review.accept('e1');
    expect(decisions()).toEqual([
      {
        decisions: {
          e1: { state: 'accepted', partial: false, confirmed: false }
        },
        source_hashes: { e1: 'h1' }
      }
    ]);
    expect(document.shared.getCell(1).getSource()).toBe('pd.concat([df, x])');
    expect(model.review.edits[0].status).toBe('accepted');
  });

  it('changes nothing when an edit is rejected', async () => {
    const { decisions, document, model } = await open(reviewing());
    await model.review.reject('e1');
    expect(sourcesOf(document.shared)).toEqual(SOURCES);
    expect(decisions()[0].decisions.e1.state).toBe('rejected');
  });

  it('does not touch the document where the server refuses', async () => {
    const { document, model, server } = await open(reviewing());
    server.refuse = request =>
      request.route.includes('/decisions')
        ? {
            status: 409,
            body: { code: 'stale_edit', message: 'Changed.', cell_id: 'c1' }
          }
        : null;
    await model.review.accept('e1');
    expect(sourcesOf(document.shared)).toEqual(SOURCES);
    expect(model.problem).toEqual({
      code: 'stale_edit',
      message: 'Changed.',
      cellId: 'c1'
    });
  });

  it('accepts everything as one step of the notebook', async () => {
    const { document, model } = await open(reviewing());
    await model.review.acceptAll();
    const accepted = [SOURCES[0], 'pd.concat([df, x])', SOURCES[2], 'check()'];
    expect(sourcesOf(document.shared)).toEqual(accepted);
    document.shared.undo();
    expect(sourcesOf(document.shared)).toEqual(SOURCES);
    document.shared.redo();
    expect(sourcesOf(document.shared)).toEqual(accepted);
  });

  it('rejects everything, and can be asked to think again', async () => {
    const { document, model } = await open(reviewing());
    await model.review.rejectAll();
    expect(model.review.current?.canUndo).toBe(true);
    expect(model.review.undecided).toEqual([]);
    expect(sourcesOf(document.shared)).toEqual(SOURCES);
  });

  it('shows an edit as out of date as soon as its cell is changed, and takes it in again when that is undone', async () => {
    const { document, model } = await open(reviewing());
    const cell = document.shared.getCell(1);
    cell.updateSource(0, 0, '# ');
    expect(model.review.edits[0].status).toBe('stale');
    cell.undo();
    expect(model.review.edits[0].status).toBe('pending');
  });

  it('records an out-of-date edit as such instead of writing over the cell', async () => {
    const { decisions, document, model } = await open(reviewing());
    document.shared.getCell(1).setSource('mine');
    await model.review.acceptAll();
    expect(decisions()[0].decisions).toMatchObject({
      e1: { state: 'stale' },
      e2: { state: 'accepted' },
      e3: { state: 'accepted' }
    });
    expect(document.shared.getCell(1).getSource()).toBe('mine');
  });

  it('sees that an accepted edit was undone, and can apply it again', async () => {
    const { document, model } = await open(reviewing());
    await model.review.accept('e1');
    document.shared.getCell(1).undo();
    expect(model.review.edits[0].status).toBe('undone');
    await model.review.accept('e1');
    expect(document.shared.getCell(1).getSource()).toBe('pd.concat([df, x])');
    expect(model.review.edits[0].status).toBe('accepted');
  });

  it('finds the cells by their text where the document has new ids', async () => {
    const server = reviewing();
    const { document, model, server: fake } = await open(null);
    fake.session = server;
    fake.notebooks.set('a'.repeat(64), {
      language: 'python',
      cells: wireNotebook(SOURCES).cells.map(cell => ({
        ...cell,
        id: `before-${cell.id}`
      }))
    });
    const renamed = proposal();
    model.take({
      ...server,
      iterations: [
        makeIteration({
          reviews: [
            {
              ...renamed,
              proposal: {
                ...renamed.proposal,
                edits: renamed.proposal.edits.map(edit => ({
                  ...edit,
                  cell_id:
                    edit.kind === 'insert'
                      ? edit.cell_id
                      : `before-${edit.cell_id}`,
                  after: edit.after && `before-${edit.after}`
                }))
              }
            }
          ]
        })
      ]
    });
    fake.session = model.session;
    await settle();
    expect(model.review.edits.map(view => view.status)).toEqual([
      'pending',
      'pending',
      'pending'
    ]);
    await model.review.acceptAll();
    expect(sourcesOf(document.shared)).toEqual([
      SOURCES[0],
      'pd.concat([df, x])',
      SOURCES[2],
      'check()'
    ]);
  });

  it('decides hunk by hunk; what is mixed is accepted in part', async () => {
    const review = makeReview([
      makeEdit({
        id: 'e1',
        base_source: 'a\nkeep\nb',
        base_hash: 'h',
        new_source: 'A\nkeep\nB'
      })
    ]);
    const { decisions, document, model } = await open(reviewing(review), [
      'a\nkeep\nb'
    ]);
    await model.review.decideHunk('e1', 0, 'rejected');
    expect(decisions()).toEqual([]);
    expect(model.review.edits[0].hunks.map(hunk => hunk.state)).toEqual([
      'rejected',
      'pending'
    ]);
    await model.review.decideHunk('e1', 1, 'accepted');
    expect(decisions()[0].decisions.e1).toEqual({
      state: 'accepted',
      partial: true,
      confirmed: false
    });
    expect(sourcesOf(document.shared)).toEqual(['a\nkeep\nB']);
    document.shared.getCell(0).undo();
    expect(sourcesOf(document.shared)).toEqual(['a\nkeep\nb']);
  });

  it('takes an edit whose hunks are all rejected for rejected', async () => {
    const { decisions, document, model } = await open(reviewing());
    await model.review.decideHunk('e1', 0, 'rejected');
    expect(decisions()[0].decisions.e1.state).toBe('rejected');
    expect(sourcesOf(document.shared)).toEqual(SOURCES);
  });

  it('goes on to the next edit that waits', async () => {
    const { model } = await open(reviewing());
    const moves: (string | null)[] = [];
    model.review.selected.connect((_, { editId }) => moves.push(editId));
    await model.review.accept('e1');
    await model.review.reject('e3');
    await model.review.reject('e2');
    expect(moves).toEqual(['e2', 'e2', null]);
  });

  it('shows the first of those that were decided together', async () => {
    const { model } = await open(reviewing());
    const moves: (string | null)[] = [];
    model.review.selected.connect((_, { editId }) => moves.push(editId));
    await model.review.acceptAll();
    expect(moves).toEqual(['e1']);
    expect(model.review.current?.edit.id).toBe('e1');
  });

  it('goes to the first place at the first step', async () => {
    const { model } = await open(reviewing());
    model.review.step(1);
    expect(model.review.current?.edit.id).toBe('e1');
    model.review.step(1);
    expect(model.review.current?.edit.id).toBe('e2');
  });

  it('steps and decides hunk by hunk', async () => {
    const { document, model } = await open(reviewing(twoHunks()), [
      'a\nkeep\nb'
    ]);
    const { review } = model;
    expect(review.open).toBe(2);
    await review.decideCurrent('rejected');
    expect(review.position?.hunk).toBe(1);
    await review.decideCurrent('accepted');
    expect(sourcesOf(document.shared)).toEqual(['a\nkeep\nB']);
    expect(review.open).toBe(0);
    review.step(1);
    expect(review.position?.hunk).toBe(0);
  });

  it('takes quick decisions at once and sends them together', async () => {
    const { decisions, document, model } = await open(reviewing());
    const { review } = model;
    const all = ['accepted', 'rejected', 'accepted'] as const;
    const done = all.map(wish => review.decideCurrent(wish));
    expect(review.open).toBe(0);
    expect(review.sending).toBe(3);
    await Promise.all(done);
    expect(review.sending).toBe(0);
    expect(decisions().flatMap(sent => Object.keys(sent.decisions))).toEqual([
      'e1',
      'e2',
      'e3'
    ]);
    expect(decisions().length).toBeLessThan(3);
    expect(sourcesOf(document.shared)).toEqual([
      SOURCES[0],
      'pd.concat([df, x])',
      SOURCES[2]
    ]);
    document.shared.getCell(1).undo();
    expect(document.shared.getCell(1).getSource()).toBe(SOURCES[1]);
  });

  it('loses only the decision that the server refuses', async () => {
    const { decisions, document, model, server } = await open(reviewing());
    server.refuse = ({ body, route }) =>
      route.includes('/decisions') && JSON.stringify(body).includes('"e1"')
        ? { status: 409, body: { code: 'stale_edit', message: 'Changed.' } }
        : null;
    const { review } = model;
    await Promise.all([
      review.decideCurrent('accepted'),
      review.decideCurrent('accepted'),
      review.decideCurrent('accepted')
    ]);
    expect(review.undecided.map(view => view.edit.id)).toEqual(['e1']);
    expect(sourcesOf(document.shared)).toEqual([
      ...SOURCES.slice(0, 3),
      'check()'
    ]);
    expect(decisions().length).toBeGreaterThan(1);
  });

  it('takes the last decision back, then the one before', async () => {
    const { document, model } = await open(reviewing());
    const { review } = model;
    expect(review.canUndo).toBe(false);
    await review.accept('e1');
    await review.rejectAll();
    await review.undoLast();
    expect(review.current?.edit.id).toBe('e2');
    expect(review.undecided.map(view => view.edit.id)).toEqual(['e2', 'e3']);
    await review.undoLast();
    expect(review.current?.edit.id).toBe('e1');
    expect(sourcesOf(document.shared)).toEqual(SOURCES);
    expect(review.canUndo).toBe(false);
  });

  it('restores the decision before the last one', async () => {
    const { model } = await open(reviewing());
    const { review } = model;
    await review.reject('e1');
    await review.accept('e1');
    await review.undoLast();
    expect(review.find('e1')?.status).toBe('rejected');
  });

  it('says what another tab accepted', async () => {
    const { model, server } = await open(reviewing());
    const other = await open(server.session);
    await other.model.review.accept('e1');
    model.take(other.server.session);
    expect(model.review.find('e1')).toMatchObject({
      status: 'undone',
      isElsewhere: true
    });
    other.document.shared.getCell(1).undo();
    expect(other.model.review.find('e1')).toMatchObject({
      status: 'undone',
      isElsewhere: false
    });
  });

  it('steps around the edits', async () => {
    const { model } = await open(reviewing());
    model.review.step(-1);
    expect(model.review.current?.edit.id).toBe('e3');
    model.review.step(1);
    expect(model.review.current?.edit.id).toBe('e1');
  });

  it('does not decide while work goes on', async () => {
    const { decisions, model, server } = await open(reviewing());
    server.next({ phase: 'running' });
    await model.refresh();
    await model.review.accept('e1');
    await model.review.acceptAll();
    expect(decisions()).toEqual([]);
  });

  it('places an insertion behind the cell before one that was rejected', async () => {
    const review = makeReview([
      makeEdit({ id: 'i1', kind: 'insert', cell_id: 'n1', after: 'c0' }),
      makeEdit({
        id: 'i2',
        kind: 'insert',
        cell_id: 'n2',
        after: 'n1',
        new_source: 'second'
      })
    ]);
    const { document, model } = await open(reviewing(review), ['a', 'b']);
    await model.review.reject('i1');
    await model.review.accept('i2');
    expect(sourcesOf(document.shared)).toEqual(['a', 'second', 'b']);
  });

  it('puts a hunk into the document as soon as it is accepted, and takes it out again', async () => {
    const { decisions, document, model } = await open(reviewing(twoHunks()), [
      'a\nkeep\nb'
    ]);
    await model.review.decideHunk('e1', 1, 'accepted');
    expect(decisions()).toEqual([]);
    expect(sourcesOf(document.shared)).toEqual(['a\nkeep\nB']);
    expect(model.review.edits[0]).toMatchObject({ status: 'pending', open: 1 });
    await model.review.decideHunk('e1', 1, 'pending');
    expect(sourcesOf(document.shared)).toEqual(['a\nkeep\nb']);
    await model.review.accept('e1');
    await model.review.decideHunk('e1', 0, 'pending');
    expect(decisions().map(sent => sent.decisions.e1.state)).toEqual([
      'accepted',
      'pending'
    ]);
    expect(sourcesOf(document.shared)).toEqual(['a\nkeep\nB']);
    expect(model.review.edits[0].hunks.map(hunk => hunk.state)).toEqual([
      'pending',
      'accepted'
    ]);
  });

  it('keeps the hunks that what others wrote does not touch', async () => {
    const { decisions, document, model } = await open(reviewing(twoHunks()), [
      'a\nkeep\nb'
    ]);
    document.shared.getCell(0).setSource('# mine\nkeep\nb');
    expect(model.review.edits[0].hunks.map(hunk => hunk.state)).toEqual([
      'stale',
      'pending'
    ]);
    await model.review.accept('e1');
    expect(sourcesOf(document.shared)).toEqual(['# mine\nkeep\nB']);
    expect(decisions()[0].decisions.e1).toMatchObject({
      state: 'accepted',
      partial: true
    });
  });

  it.each(['e1', 'e2', 'e3'])(
    'takes every decision back, out of the document too: %s',
    async id => {
      const { decisions, document, model } = await open(reviewing());
      document.shared.getCell(3).setMetadata({ tags: ['kept'] });
      for (const wish of ['accept', 'reject'] as const) {
        await model.review[wish](id);
        expect(model.review.find(id)?.canUndo).toBe(true);
        await model.review.undo(id);
        expect(sourcesOf(document.shared)).toEqual(SOURCES);
        expect(model.review.find(id)?.status).toBe('pending');
      }
      expect(document.shared.getCell(3).getMetadata('tags')).toEqual(['kept']);
      expect(decisions().map(sent => sent.decisions[id].state)).toEqual([
        'accepted',
        'pending',
        'rejected',
        'pending'
      ]);
    }
  );

  it('takes in what was rejected before', async () => {
    const { document, model } = await open(reviewing());
    await model.review.rejectAll();
    await model.review.accept('e1');
    expect(document.shared.getCell(1).getSource()).toBe('pd.concat([df, x])');
    expect(model.review.find('e1')?.status).toBe('accepted');
  });

  it('decides on edits that need each other together', async () => {
    const review = proposal();
    const [first, second, third] = review.proposal.edits;
    const { decisions, document, model } = await open(
      reviewing(
        makeReview([{ ...first, group: 'g' }, second, { ...third, group: 'g' }])
      )
    );
    await model.review.accept('e3');
    expect(Object.keys(decisions()[0].decisions)).toEqual(['e1', 'e3']);
    const taken = [SOURCES[0], 'pd.concat([df, x])', SOURCES[2]];
    expect(sourcesOf(document.shared)).toEqual(taken);
    await model.review.undo('e1');
    expect(sourcesOf(document.shared)).toEqual(SOURCES);
    await model.review.decideHunk('e1', 0, 'rejected');
    expect(model.review.undecided.map(view => view.edit.id)).toEqual(['e2']);
    await model.review.undo('e1');
    await model.review.accept('e1', true);
    expect(model.review.undecided.map(view => view.edit.id)).toEqual([
      'e2',
      'e3'
    ]);
  });

  it('decides rule by rule', async () => {
    const part = (rule: string, lines: number[]) => ({
      rule,
      what: `${rule} is gone.`,
      reason: '',
      link: '',
      lines,
      short: '',
      places: lines.length
    });
    const edits = ['c0', 'c1'].map((cell, index) =>
      makeEdit({
        id: `e${index}`,
        cell_id: cell,
        base_source: 'x = np.float(1)\nkeep\nprint y.shape',
        base_hash: 'h',
        new_source: 'x = float(1)\nkeep\nprint(y.shape)',
        parts: [part('float', [1]), part('old', [3])]
      })
    );
    const sources = edits.map(edit => edit.base_source);
    const { decisions, document, model } = await open(
      reviewing(makeReview(edits)),
      sources
    );
    const [rule] = model.review.rules;
    expect(rule).toMatchObject({ rule: 'float', open: 2 });
    await model.review.decideRule('float', 'accepted');
    expect(sourcesOf(document.shared)).toEqual(
      sources.map(source => source.replace('np.float', 'float'))
    );
    expect(decisions()).toEqual([]);
    document.shared.undo();
    expect(sourcesOf(document.shared)).toEqual(sources);
    document.shared.redo();
    await model.review.decideRule('old', 'rejected');
    expect(decisions()[0].decisions.e1).toMatchObject({
      state: 'accepted',
      partial: true
    });
  });

  it('does not carry out what another person accepted at the same time', async () => {
    const { decisions, document, model, server } = await open(reviewing());
    let isFirst = true;
    server.refuse = request => {
      if (!request.route.includes('/decisions') || !isFirst) {
        return null;
      }
      isFirst = false;
      const [iteration] = server.session?.iterations ?? [];
      const [review] = iteration.reviews;
      const accepted = { state: 'accepted', partial: false, confirmed: false };
      server.next({
        iterations: [
          {
            ...iteration,
            reviews: [
              {
                ...review,
                decisions: { e1: accepted } as typeof review.decisions
              }
            ]
          }
        ]
      });
      return {
        status: 409,
        body: { code: 'already_accepted', message: 'Accepted already.' }
      };
    };
    await model.review.acceptAll();
    expect(model.problem).toBeNull();
    expect(Object.keys(decisions()[1].decisions)).toEqual(['e2', 'e3']);
    expect(document.shared.getCell(1).getSource()).toBe('df.append(x)');
  });

  it('records what the document has already without touching it', async () => {
    const { decisions, document, model } = await open(reviewing());
    document.shared.getCell(1).setSource('pd.concat([df, x])');
    expect(model.review.find('e1')?.status).toBe('present');
    await model.review.accept('e1');
    expect(decisions()[0].decisions.e1.state).toBe('accepted');
    expect(document.shared.getCell(1).getSource()).toBe('pd.concat([df, x])');
  });
});

function twoHunks() {
  return makeReview([
    makeEdit({
      id: 'e1',
      base_source: 'a\nkeep\nb',
      base_hash: 'h',
      new_source: 'A\nkeep\nB'
    })
  ]);
}
