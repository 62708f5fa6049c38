import type { TranslationBundle } from '@jupyterlab/translation';

import type {
  EnvironmentChoice,
  FoundEnvironment,
  OwnTimeRun
} from '../api/types';
import { messagesText } from './message';
import { formatScore } from './numbers';

/** Return a notebook's environment and the reason for it, on one line. */
export function environmentText(
  choice: EnvironmentChoice,
  trans: TranslationBundle
): string {
  const { environment, reason } = choice;
  const name = environment ? environmentName(environment, trans) : '';
  const missing = choice.missing.concat(choice.unknown).join(', ');
  const lacking = missing
    ? trans.__('missing: %1', missing)
    : trans._n(
        'its one import is available',
        'all %1 imports are available',
        choice.imports
      );
  switch (reason) {
    case 'own-kernel':
    case 'server':
    case 'asked':
      return choice.imports === 0 && !missing
        ? trans.__('%1: nothing more is needed', name)
        : trans.__('%1: %2', name, lacking);
    case 'make':
      return missing
        ? trans.__('One will be made for this notebook; %1 here', lacking)
        : trans.__('One will be made for this notebook');
    case 'made':
      return trans.__('Made for this notebook: Python %1', name);
    case 'not-made':
      return trans.__('%1; one could not be made: %2', lacking, choice.detail);
    case 'nothing-to-add':
      return trans.__('%1: no package is known for %2', name, missing);
  }
}

/** Return the name of an environment. */
export function environmentName(
  environment: FoundEnvironment,
  trans: TranslationBundle
): string {
  switch (environment.origin) {
    case 'kernel':
      return trans.__('Kernel %1', environment.name);
    case 'conda':
      return trans.__('Conda environment %1', environment.name);
    case 'server':
      return trans.__('Jupyter’s own Python');
    case 'beside':
      return trans.__('Environment %1 beside the notebook', environment.name);
    case 'made':
      return environment.python;
    case 'named':
      return environment.name;
  }
}

/** Return the results of a notebook with the original library versions. */
export function ownTimeText(run: OwnTimeRun, trans: TranslationBundle): string {
  const named = Object.entries(run.packages)
    .slice(0, 4)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
  const month = run.until?.slice(0, 7);
  const libraries = `${named || `Python ${run.python}`}${month ? ` (${month})` : ''}`;
  switch (run.end) {
    case 'score':
      return trans.__(
        'Recorded here with %1: %2.',
        libraries,
        formatScore(run.score ?? 0)
      );
    case 'outputs':
      return run.close > 0
        ? trans._n(
            'With %2, %3 of %1 output that can be compared matches, and %4 more are close.',
            'With %2, %3 of %1 outputs that can be compared match, and %4 more are close.',
            run.compared,
            libraries,
            run.agreeing,
            run.close
          )
        : trans._n(
            'With %2, %3 of %1 output that can be compared matches.',
            'With %2, %3 of %1 outputs that can be compared match.',
            run.compared,
            libraries,
            run.agreeing
          );
    case 'no-score':
      return trans.__('With %1 it runs but gives no score.', libraries);
    case 'failed':
      return trans.__(
        'With %1 it does not run either. %2',
        libraries,
        messagesText(run.reason, trans)
      );
  }
}
