import { render } from '@testing-library/react';
import * as React from 'react';

import { readAnsi, Traceback } from '../../../panel/errors/Traceback';

describe('a traceback', () => {
  it('keeps hostile text as text', () => {
    const { container } = render(
      <Traceback
        lines={[
          '\u001b[31m<script>alert(1)</script>\u001b[0m',
          '<a href="javascript:alert(1)">x</a>\u0007\u0000',
          '\u001b]8;;http://evil\u0007link\u001b]8;;\u0007'
        ]}
      />
    );
    expect(container.querySelector('script, a')).toBeNull();
    expect(container).toHaveTextContent('<script>alert(1)</script>');
    expect(container.textContent).not.toMatch(/[^\P{Cc}\n]/u);
  });

  it('has the colours of the theme, and others mixed with it', () => {
    const parts = readAnsi(
      '\u001b[31mred\u001b[0m \u001b[38;5;28;01mbold\u001b[0m plain'
    );
    expect(parts[0]).toMatchObject({
      text: 'red',
      className: 'jp-mle-Ansi-red'
    });
    const bold = parts.find(part => part.text === 'bold');
    expect(bold?.className).toBe('jp-mle-Ansi-bold');
    expect(bold?.style?.color).toContain('rgb(0, 135, 0)');
    expect(parts[parts.length - 1]).toEqual({
      text: ' plain',
      className: undefined,
      style: undefined
    });
  });

  it('leaves out the rule that is too wide for a panel', () => {
    const { container } = render(
      <Traceback lines={['\u001b[31m' + '-'.repeat(75) + '\u001b[39m', 'x']} />
    );
    expect(container.textContent).toBe('x');
  });
});
