import type { ISettingRegistry } from '@jupyterlab/settingregistry';

import plugin from '../../../../schema/plugin.json';
import { readPreferences } from '../../../session/form/preferences';
import { settings as defaults } from '../../values';

type Values = Record<string, unknown>;

/**
 * Return settings like the registry's: the user's values on top of the
 * defaults.
 */
function settings(user: Values, defaults: Values = {}) {
  return {
    user,
    composite: { ...defaults, ...user }
  } as unknown as ISettingRegistry.ISettings;
}

describe('the settings', () => {
  it('left alone leave the server its own defaults', () => {
    const { session } = readPreferences(
      settings({}, { mode: 'auto', timeLimit: 99 })
    );
    expect(session).toEqual({});
  });

  it('that were set go into new sessions, in the units of the server', () => {
    const { session } = readPreferences(
      settings({
        mode: 'auto',
        scope: 'cell',
        fixers: 'rules',
        threshold: 5,
        timeLimit: 2,
        maxFixes: 3,
        maxTokens: 0,
        maxCost: 2,
        maxMinutes: 1,
        alternatives: 9,
        allowExperimentChanges: true,
        sandbox: 'bubblewrap'
      })
    );
    expect(session).toEqual({
      mode: 'auto',
      scope: 'cell',
      fixers: ['rules'],
      threshold: 0.05,
      time_limit: 120,
      max_fixes: 3,
      max_usd: 2,
      max_seconds: 60,
      allow_experiment_changes: true,
      sandbox: 'bubblewrap'
    });
  });

  it('have the server’s defaults in the Settings editor', () => {
    const { properties } = plugin;
    const user = Object.entries(properties).map(([name, property]) => [
      name,
      property.default
    ]);
    const { session } = readPreferences(settings(Object.fromEntries(user)));
    expect(Object.keys(session)).toContain('time_limit');
    expect({ ...defaults, ...session }).toEqual({
      ...defaults,
      ask_above: properties.askAbove.default
    });
  });

  it('of the wrong type count as left alone', () => {
    const { session, notify } = readPreferences(
      settings({
        mode: 7,
        scope: 'all',
        threshold: '5',
        maxFixes: -1,
        allowExperimentChanges: 'true',
        sandbox: null
      })
    );
    expect(session).toEqual({});
    expect(notify).toBe(true);
  });

  it('of whoever runs the server are followed where the person set nothing', () => {
    const preferences = readPreferences(
      settings({ notify: true }, { notify: false, allowUnisolated: true })
    );
    expect(preferences.notify).toBe(true);
    expect(preferences.allowUnisolated).toBe(true);
  });

  it('allow nothing unguarded where there are none', () => {
    expect(readPreferences(null).allowUnisolated).toBe(false);
  });
});
