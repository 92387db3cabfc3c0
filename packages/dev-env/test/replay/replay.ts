import { applyEvents } from '@parley/client-model/apply-events';
import type { ClientKind, PublicEvent } from '@parley/client-model/rules';
import type { State } from '@parley/client-model/state';

/** The state of a client that had `state` and got these events; `state` itself is unchanged. */
export function replay(state: State, events: readonly PublicEvent[], client: ClientKind): State {
  const copy = structuredClone(state);
  applyEvents(copy, events, client);
  return copy;
}
