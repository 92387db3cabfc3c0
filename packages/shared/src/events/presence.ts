import type { Presence } from '../proto';
import { publicLegacyPresence, publicPresence } from '../wire';
import type { Audience } from './audience';
import { type ClientView, declareEphemeralEvent } from './declare-event';

export interface PresenceChanged {
  presence: Omit<Presence, 'email'>;
  /** The account's address, as the API shows it. */
  email: string;
  /** Users who can see this one; others must not get the address. */
  audience: Audience;
  toldAtMs: number;
}

const isSimplified = ({ capabilities }: ClientView) => capabilities.includes('simplified_presence_events');
/** COMPAT(level 419): the same as a parameter of POST /register for the state. */
const isSlim = ({ capabilities }: ClientView) => capabilities.includes('slim_presence');

/** A user became active, or hides their presence. Public event `presence`, for everybody. */
export const presenceChanged = declareEphemeralEvent<PresenceChanged>()('presence.changed', [
  {
    type: 'presence',
    audience: () => ({ to: 'realm' }),
    isFor: (_payload, view) => isSimplified(view) || isSlim(view),
    variant: (view) => `${isSimplified(view)}`,
    render: (payload, view) =>
      isSimplified(view)
        ? { type: 'presence', presences: { [payload.presence.userId]: publicPresence(payload.presence) } }
        : legacyEvent(payload),
  },
  {
    type: 'presence',
    audience: ({ audience }) => audience,
    isFor: (_payload, view) => !isSimplified(view) && !isSlim(view),
    variant: () => '',
    render: (payload) => ({ ...legacyEvent(payload), email: payload.email }),
  },
]);

function legacyEvent({ presence, toldAtMs }: PresenceChanged) {
  return {
    type: 'presence',
    user_id: presence.userId,
    server_timestamp: toldAtMs / 1000,
    presence: { website: publicLegacyPresence(presence) },
  };
}
