import type { ReadonlyPartialJSONValue } from '@lumino/coreutils';

import { Greeter } from '../greeter';
import { readPreferences } from '../session/form/preferences';
import { open } from './fakeServer';

async function seen(change: { stops?: number; isOff?: boolean } = {}) {
  const { model } = await open(null);
  const kept = new Map<string, ReadonlyPartialJSONValue>();
  const state = {
    fetch: (key: string) => Promise.resolve(kept.get(key)),
    save: (key: string, value: ReadonlyPartialJSONValue) => {
      kept.set(key, value);
      return Promise.resolve();
    }
  };
  let opened = 0;
  const preferences = {
    ...readPreferences(null),
    openForOldNotebooks: !change.isOff
  };
  const greeter = new Greeter({ current: model, preferences }, state, () => {
    opened += 1;
  });
  jest
    .spyOn(model.preflight, 'found', 'get')
    .mockReturnValue({ stops: change.stops ?? 2 } as never);
  const look = async () => {
    greeter.watch(model);
    (model.preflight.changed as unknown as { emit: () => void }).emit();
    await new Promise(resolve => setTimeout(resolve));
  };
  return { look, opened: () => opened };
}

describe('the panel by itself', () => {
  it('opens once for a notebook in which something will break', async () => {
    const { look, opened } = await seen();
    await look();
    await look();
    expect(opened()).toBe(1);
  });

  it('stays closed where nothing will, or nobody wants it', async () => {
    for (const change of [{ stops: 0 }, { isOff: true }]) {
      const { look, opened } = await seen(change);
      await look();
      expect(opened()).toBe(0);
    }
  });
});
