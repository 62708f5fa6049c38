import * as React from 'react';

import type { Notebook, Session } from '../api/types';
import { useSignal, useValue } from '../ui/context';
import type { Modernization } from './modernization';

/** Properties of the components of a notebook's modernization. */
export interface IModelProps {
  /** The notebook's modernization. */
  model: Modernization;
}

/**
 * Return the session, null before the first run; render the component again if
 * it changes.
 */
export function useSession(model: Modernization): Session | null {
  useSignal(model.sessionChanged);
  return model.session;
}

/**
 * Return whether a new request is possible: no work and no request is under
 * way.
 */
export function useIdle(model: Modernization): boolean {
  const isBusy = useValue(model.busyChanged, () => model.isBusy);
  const isWorking = useValue(model.sessionChanged, () => model.isWorking);
  return !isBusy && !isWorking;
}

/** Return the notebook from the session's start, null until it is loaded. */
export function useOriginal(model: Modernization): Notebook | null {
  const [original, setOriginal] = React.useState<Notebook | null>(null);
  const hash = model.session?.notebook_hash ?? null;
  React.useEffect(() => {
    let isCurrent = true;
    setOriginal(null);
    if (hash !== null) {
      model.sources.ofIteration(0).then(
        notebook => {
          if (isCurrent) {
            setOriginal(notebook);
          }
        },
        (error: unknown) => model.report(error)
      );
    }
    return () => {
      isCurrent = false;
    };
  }, [model, hash]);
  return original;
}
