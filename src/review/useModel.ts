import type { Session } from '../api/types';
import { useSignal, useValue } from '../ui/context';
import type { Modernization } from './modernization';

/**
 * What the components of a notebook's modernization are made from.
 */
export interface IModelProps {
  /** The notebook's modernization. */
  model: Modernization;
}

/**
 * The session, null before the first run; draws the component again when it is another one.
 */
export function useSession(model: Modernization): Session | null {
  useSignal(model.sessionChanged);
  return model.session;
}

/**
 * Whether something new can be asked for: no work and no request is under way.
 */
export function useIdle(model: Modernization): boolean {
  const isBusy = useValue(model.busyChanged, () => model.isBusy);
  const isWorking = useValue(model.sessionChanged, () => model.isWorking);
  return !isBusy && !isWorking;
}
