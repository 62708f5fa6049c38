import plugins from '../index';

describe('the plugins', () => {
  it('each have an id of this package and a description', () => {
    for (const plugin of plugins) {
      expect(plugin.id).toMatch(/^mle-modernizer:/);
      expect(plugin.description).toBeTruthy();
    }
  });
});
