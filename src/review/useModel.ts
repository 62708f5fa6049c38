import type { Session } from '../api/types';
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
