import { Signal } from '@lumino/signaling';
import { render } from '@testing-library/react';
import * as React from 'react';

import { useSignal } from '../../ui/context';

it('draws what changes before the first effect', () => {
  const source = { value: 'old' };
  const changed = new Signal<object, void>(source);
  const Shown = () => {
    useSignal(changed);
    return <p>{source.value}</p>;
  };
  const Changing = () => {
    React.useLayoutEffect(() => {
      source.value = 'new';
      changed.emit();
    }, []);
    return null;
  };
  const { container } = render(
    <>
      <Shown />
      <Changing />
    </>
  );
  expect(container.textContent).toBe('new');
});
