import type { Message } from '../../api/types';
import { messagesText } from '../../words/message';
import { trans } from '../values';

function words(code: string, parameters: Message['parameters'] = {}): string {
  return messagesText([{ code, parameters }], trans);
}

describe('messages in words', () => {
  it('tells one from many', () => {
    expect(words('summary.failed-of', { count: 1, of: 9 })).toBe(
      '1 of 9 cells fails.'
    );
    expect(words('summary.failed-of', { count: 3, of: 9 })).toBe(
      '3 of 9 cells fail.'
    );
  });

  it('puts messages into messages', () => {
    const cell: Message[] = [
      { code: 'summary.in-cell', parameters: { cell: 7 } }
    ];
    expect(words('summary.timed-out', { limit: 600, cell })).toBe(
      'Stopped at the time limit of 10 min in cell 7.'
    );
    expect(words('summary.timed-out', { limit: 0.5, cell: [] })).toBe(
      'Stopped at the time limit of 0.5 s.'
    );
  });

  it('names cells by number and by id, but does not name a count', () => {
    const names = (cell: number | string) =>
      cell === 7 || cell === 'b' ? '[73] x = `1`' : null;
    const named = (code: string, parameters: Message['parameters']) =>
      messagesText([{ code, parameters }], trans, names);
    expect(named('run.stopped', { cell: 7 })).toBe(
      "Stopped at cell `[73] x = '1'`, the first that failed."
    );
    expect(named('left-out.needs', { cell: 'b', needs: '7, a' })).toContain(
      "cell `[73] x = '1'` was left out: it needs the edit of cell `[73] x = '1'`, a,"
    );
    expect(named('progress.running-cell', { cell: 7, of: 23 })).toBe(
      'Running cell 7 of 23'
    );
  });

  it('writes numbers as the terminal does', () => {
    expect(words('verification.score', { score: 0.123456789 })).toBe(
      'The score is 0.123457.'
    );
    expect(words('sample.rows', { rows: 2100, of: 891000 })).toBe(
      '2,100 of 891,000 rows'
    );
    expect(words('band.within', { threshold: 0.1 })).toBe('within 10%');
  });

  it('ends a sentence once, also where it holds another', () => {
    const why: Message[] = [{ code: 'csv.no-header', parameters: {} }];
    expect(words('grade.answers', { competition: 'tiny', why })).toBe(
      'The answers of tiny cannot be used: It is empty: there is no header line.'
    );
    expect(words('csv.rows', { count: 1200, expected: 1 })).toBe(
      'It has 1,200 rows; 1 are expected.'
    );
  });

  it('shows what others wrote as it is, and a code without words', () => {
    const others = {
      code: 'text',
      parameters: { text: 'Their <b>words</b>.' }
    };
    const newer = { code: 'of.tomorrow', parameters: {} };
    expect(messagesText([others, newer], trans)).toBe(
      'Their <b>words</b>. of.tomorrow'
    );
  });
});
