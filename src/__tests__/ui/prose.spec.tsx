import { render } from '@testing-library/react';
import * as React from 'react';

import { Prose } from '../../ui/Prose';

describe('a sentence with names of code', () => {
  it('sets what stands between backticks as code, and reads nothing else', () => {
    const { container } = render(
      <Prose text="`y` and <b>`a.b`</b>, a single ` stays" />
    );
    expect(container).toHaveTextContent('y and <b>a.b</b>, a single ` stays');
    const code = [...container.querySelectorAll('code')];
    expect(code.map(item => item.textContent)).toEqual(['y', 'a.b']);
    expect(container.querySelector('b')).toBeNull();
  });
});
