import { screen, within } from '@testing-library/react';
import * as React from 'react';

import type { Claim, PaperReading, Place } from '../../api/types';
import { PaperPage } from '../../paper/PaperPage';
import { PanelContext } from '../../ui/context';
import { answered, show } from '../answers';
import { type IAnswer, type IRequest, makeClient, trans } from '../values';

const nowhere: Place = {
  column: null,
  end: null,
  page: null,
  row: null,
  section: null,
  start: null,
  table: null
};

const claim = (id: string, printed: string, more: Partial<Claim>): Claim => ({
  best: false,
  dataset: 'Wine',
  decimals: 1,
  doubts: [],
  higher_is_better: true,
  id,
  method: 'LDA',
  metric: 'accuracy',
  own: false,
  percent: false,
  place: nowhere,
  printed,
  quote: '',
  source: 'table',
  spread: null,
  value: Number(printed),
  ...more
});

const cell = (text: string) => ({ text, bold: false, spans: false });

const reading: PaperReading = {
  paper: {
    algorithms: [],
    equations: [],
    figures: [],
    format: 'latex',
    pages: null,
    references: [],
    remarks: [{ code: 'executes', parameter: '<img src=x>' }],
    sections: [
      {
        appendix: false,
        level: 1,
        number: '1',
        page: null,
        text: 'First paragraph.\n\nWe reach 97.3 on Wine. <script>alert(1)</script>',
        title: trans.__('Results')
      }
    ],
    tables: [
      {
        caption: trans.__('Accuracy.'),
        header_rows: 1,
        number: '1',
        page: null,
        rows: [
          [cell('Method'), cell('Accuracy')],
          [cell('LDA'), cell('98.9')]
        ],
        section: 0
      }
    ],
    title: trans.__('<b>A Paper</b>')
  },
  claims: [
    claim('t0r1c1n0', '98.9', { place: { ...nowhere, table: 0, row: 1 } }),
    claim('s0o27', '97.3', {
      own: true,
      source: 'sentence',
      place: { ...nowhere, section: 0, start: 27, end: 31 }
    })
  ],
  completion: null,
  lineage: [
    {
      key: '7',
      text: 'A Work of Others',
      weight: 3,
      address: 'https://arxiv.org/e-print/1412.6980',
      requirements: ['loss'],
      mentions: [
        {
          quote: 'We follow <i>[7]</i>.',
          follows: true,
          place: { ...nowhere, section: 0, start: 0, end: 5 }
        }
      ],
      sources: [
        {
          kind: 'folder',
          name: 'cited/others.tex',
          title: '',
          version: '',
          excerpt: ''
        },
        {
          kind: 'installed',
          name: 'sklearn.svm.SVC',
          title: '',
          version: 'scikit-learn 1.9',
          excerpt: ''
        }
      ],
      taken: [
        {
          requirement: 'loss',
          value: 'hinge',
          source: 'cited/others.tex',
          where: '§3',
          quote: 'The loss is the hinge.'
        }
      ]
    },
    {
      key: '8',
      text: 'A Missing Work',
      weight: 1,
      address: 'https://arxiv.org/e-print/1412.6981',
      requirements: [],
      mentions: [],
      sources: [],
      taken: []
    }
  ],
  checklist: [
    {
      name: 'batch_size',
      topic: 'training',
      statement: 'stated',
      value: '32',
      assumption: '',
      evidence: [
        {
          value: '32',
          quote: 'A batch size of 32.',
          references: [],
          place: { ...nowhere, section: 0 }
        }
      ]
    },
    {
      name: 'loss',
      topic: 'training',
      statement: 'cited',
      value: '',
      assumption: 'default',
      evidence: []
    },
    {
      name: 'epochs',
      topic: 'training',
      statement: 'not_stated',
      value: '',
      assumption: '10',
      evidence: []
    }
  ]
};

/**
 * Render the page of the paper, with the server's response to *Make the
 * notebook*.
 */
async function page(
  made: IAnswer = { body: { path: 'p-reproduction.ipynb' } }
) {
  const answer = (request: IRequest) =>
    request.route === 'papers' ? { body: reading } : made;
  const { client, requests } = makeClient(answer);
  const open = jest.fn();
  const { user } = show(
    <PanelContext.Provider
      value={{ trans, languages: null, execute: jest.fn() }}
    >
      <PaperPage path="papers/p.tex" client={client} open={open} />
    </PanelContext.Provider>,
    answer
  );
  await answered();
  return { open, requests, user };
}

const scrolled = jest.fn();

beforeEach(() => {
  scrolled.mockReset();
  Element.prototype.scrollIntoView = scrolled;
});

describe('the page of a paper', () => {
  it('shows text, claims and method, and nothing of it as HTML', async () => {
    const { requests } = await page();
    expect(requests[0]?.body).toEqual({ path: 'papers/p.tex' });
    const text = screen.getByRole('region', { name: 'Text of the paper' });
    expect(text).toHaveTextContent('<b>A Paper</b>');
    expect(text).toHaveTextContent('<script>alert(1)</script>');
    expect(document.querySelector('script, b, img')).toBeNull();
    const facts = screen.getByRole('region', { name: 'Claims and method' });
    expect(facts).toHaveTextContent('would run a program (<img src=x>)');
    expect(facts).toHaveTextContent('batch size');
    expect(facts).toHaveTextContent('assumed: 10');
    expect(facts).toHaveTextContent('1 of 3 not stated');
  });

  it('lists the claims of the paper’s own method first', async () => {
    await page();
    const boxes = screen.getAllByRole('checkbox');
    expect(boxes[0]?.parentElement).toHaveTextContent('97.3');
    expect(boxes[1]?.parentElement).toHaveTextContent('98.9');
  });

  it('leads to the place of a claim, each time it is clicked', async () => {
    const { user } = await page();
    const pointed = () => document.querySelector('.jp-mod-pointed');
    expect(pointed()).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Table 1 row 2' }));
    expect(pointed()).toHaveTextContent('LDA98.9');
    expect(scrolled).toHaveBeenCalledTimes(1);
    await user.click(screen.getByRole('button', { name: 'Table 1 row 2' }));
    expect(scrolled).toHaveBeenCalledTimes(2);
    await user.click(screen.getAllByRole('button', { name: '§1' })[0]!);
    expect(pointed()?.tagName).toBe('MARK');
    expect(pointed()).toHaveTextContent(/^97\.3$/);
    await user.click(screen.getAllByRole('button', { name: '§1' })[1]!);
    expect(pointed()?.tagName).toBe('SECTION');
  });

  it('shows the works it builds on, and what is taken from where', async () => {
    await page();
    const works = within(
      screen.getByRole('region', { name: 'Builds on' })
    ).getAllByRole('listitem');
    expect(works).toHaveLength(2);
    expect(works[0]).toHaveTextContent('We follow <i>[7]</i>.');
    expect(works[0]).toHaveTextContent('In the folder: cited/others.tex');
    expect(works[0]).toHaveTextContent(
      'Installed: sklearn.svm.SVC (scikit-learn 1.9)'
    );
    expect(works[0]).toHaveTextContent('loss (cited/others.tex, §3): hinge');
    expect(works[1]).toHaveTextContent(
      'Not found: put it into the folder “cited”'
    );
    const method = within(
      screen.getByRole('region', { name: 'Method' })
    ).getAllByRole('listitem');
    expect(method[1]).toHaveTextContent(
      'from a cited work hinge (cited/others.tex, §3)'
    );
  });

  it('draws the works as a graph', async () => {
    await page();
    const graph = screen.getByRole('img', {
      name: 'The paper builds on 2 works'
    });
    expect(graph).toHaveTextContent('A Work of Others');
    expect(graph).toHaveTextContent('1 value');
    expect(graph.querySelectorAll('line')).toHaveLength(2);
    expect(graph.querySelectorAll('line[stroke-dasharray]')).toHaveLength(1);
  });

  it('shows a number of a PDF marked on its page, and turns pages', async () => {
    const printed: PaperReading = {
      ...reading,
      paper: { ...reading.paper, format: 'pdf', pages: 3 },
      claims: reading.claims.map(one => ({
        ...one,
        place: { ...one.place, page: 2 }
      }))
    };
    const { client, requests } = makeClient(({ body, route }) =>
      route === 'papers'
        ? { body: printed }
        : {
            body: {
              ...(body as object),
              png: 'iVBORw0KGgo=',
              width: 100,
              height: 200,
              marks: [{ left: 0.5, top: 0.25, right: 0.6, bottom: 0.3 }]
            }
          }
    );
    const { user } = show(
      <PanelContext.Provider
        value={{ trans, languages: null, execute: jest.fn() }}
      >
        <PaperPage path="p.pdf" client={client} open={jest.fn()} />
      </PanelContext.Provider>,
      () => ({ body: null })
    );
    await answered();
    await user.click(
      screen.getByRole('button', { name: 'Table 1 row 2, p. 2' })
    );
    await answered();
    expect(requests[1]).toMatchObject({
      route: 'papers/page',
      body: { path: 'p.pdf', page: 2, mark: '98.9' }
    });
    const picture = screen.getByRole('img', { name: 'Page 2 of 3' });
    expect(picture).toHaveAttribute(
      'src',
      'data:image/png;base64,iVBORw0KGgo='
    );
    const mark = document.querySelector<HTMLElement>('.jp-mle-Page-mark');
    expect(mark?.style.left).toBe('50%');
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await answered();
    expect(screen.getByRole('img', { name: 'Page 3 of 3' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Next page' })).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Show the text' }));
    expect(
      screen.getByRole('region', { name: 'Text of the paper' })
    ).toBeVisible();
    await user.click(screen.getByRole('checkbox', { name: /97\.3/ }));
    await answered();
    expect(requests[requests.length - 1]?.body).toMatchObject({
      page: 2,
      mark: '97.3'
    });
  });

  it('makes the notebook of the chosen claims and opens it', async () => {
    const { open, requests, user } = await page();
    await user.click(screen.getByRole('checkbox', { name: /98\.9/ }));
    expect(screen.getByText('1 claim chosen')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Make the notebook' }));
    await answered();
    expect(requests[requests.length - 1]).toMatchObject({
      method: 'POST',
      route: 'papers/notebook',
      body: { path: 'papers/p.tex', claims: ['t0r1c1n0'] }
    });
    expect(open).toHaveBeenCalledWith('p-reproduction.ipynb');
  });

  it('says why no notebook was made, and lets it be tried again', async () => {
    const { open, user } = await page({
      status: 400,
      body: { code: 'bad_input', message: 'No.', cell_id: null }
    });
    const make = screen.getByRole('button', { name: 'Make the notebook' });
    await user.click(make);
    await answered();
    expect(screen.getByRole('alert')).toHaveTextContent('No.');
    expect(open).not.toHaveBeenCalled();
    expect(make).toBeEnabled();
  });
});

describe('completing the claims by a model', () => {
  const question = {
    host: 'models.test',
    model: 'stand-in',
    messages: [{ role: 'user', text: '<b>All of the paper</b>' }],
    input_tokens: 12_000,
    output_tokens: 4_000,
    cost_usd: 0.02,
    masked: 0,
    left_out: ['The paper: about 10 of 20 characters are shown.']
  };
  const completed: PaperReading = {
    ...reading,
    claims: [
      ...reading.claims,
      claim('s0o1', '12.5', { doubts: ['from_model'] })
    ],
    completion: {
      model: 'stand-in',
      asked_at: '2026-01-01T00:00:00Z',
      confirmed: 1,
      unreadable: 0,
      refused: [
        {
          problem: 'not-in-paper',
          claim: {
            quote: 'We reach <i>99.9</i>.',
            number: '99.9',
            dataset: '',
            method: '',
            metric: '',
            own: true
          }
        }
      ],
      usage: {
        calls: 1,
        input_tokens: 1,
        cached_input_tokens: 0,
        output_tokens: 1,
        reasoning_tokens: 0,
        cost_usd: null,
        unpriced_calls: 0,
        prices_as_of: null,
        estimated: false,
        failed: 0
      }
    }
  };

  async function asked(sent: IAnswer | Promise<IAnswer>) {
    const answer = ({ route }: IRequest) =>
      route === 'papers'
        ? { body: reading }
        : route === 'papers/claims/question'
          ? { body: question }
          : sent;
    const { client, requests } = makeClient(answer);
    const { user } = show(
      <PanelContext.Provider
        value={{ trans, languages: null, execute: jest.fn() }}
      >
        <PaperPage path="p.tex" client={client} open={jest.fn()} />
      </PanelContext.Provider>,
      () => ({ body: null })
    );
    await answered();
    const button = screen.getByRole('button', { name: /Complete by a model/ });
    await user.click(button);
    await answered();
    const sends = () =>
      requests.filter(({ route }) => route === 'papers/claims').length;
    return { sends, user };
  }

  it('says what is sent and what it costs, and sends nothing without a yes', async () => {
    const { sends, user } = await asked({ body: completed });
    const consent = screen.getByRole('group', { name: /Send the paper/ });
    expect(consent).toHaveTextContent('stand-in at models.test');
    expect(consent).toHaveTextContent('<b>All of the paper</b>');
    expect(consent).toHaveTextContent('10 of 20 characters');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await answered();
    expect(sends()).toBe(0);
    expect(screen.queryByRole('group', { name: /Send the/ })).toBeNull();
  });

  it('marks the claims of the model and lists what was refused with its reason', async () => {
    const { sends, user } = await asked({ body: completed });
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await answered();
    expect(sends()).toBe(1);
    const claims = within(screen.getByRole('list', { name: 'Claims' }));
    const marked = claims
      .getAllByRole('listitem')
      .filter(item => item.textContent?.includes('from the model'));
    expect(marked).toHaveLength(1);
    expect(marked[0]).toHaveTextContent('12.5');
    expect(screen.getByText(/named 2 claims: 1 confirmed/)).toBeVisible();
    expect(document.querySelector('i')).toBeNull();
    const refused = document.querySelector('details')!;
    expect(refused).toHaveTextContent(
      '99.9 “We reach <i>99.9</i>.”: the quote is not in the paper'
    );
  });

  it('says why it failed, and keeps the claims of the rules', async () => {
    const { user } = await asked({
      status: 502,
      body: { code: 'fixer_failed', message: 'No answer.', cell_id: null }
    });
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await answered();
    expect(screen.getByRole('alert')).toHaveTextContent('No answer.');
    expect(screen.getByText(/98\.9/, { selector: 'strong' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Send' })).toBeEnabled();
  });
});

describe('a paper that cannot be read', () => {
  it('is said with the reason', async () => {
    const { client } = makeClient(() => ({
      status: 400,
      body: { code: 'bad_paper', message: 'It is scanned.', cell_id: null }
    }));
    show(<PaperPage path="p.pdf" client={client} open={jest.fn()} />, () => ({
      body: null
    }));
    await answered();
    expect(
      within(screen.getByRole('alert')).getByText('It is scanned.')
    ).toBeInTheDocument();
  });
});
