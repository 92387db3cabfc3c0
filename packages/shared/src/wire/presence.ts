import type { Presence } from '../proto';
import { PRESENCE, toSeconds } from '../values';

type Times = Pick<Presence, 'activeAtMs' | 'connectedAtMs'>;

/** When somebody was there, as today's clients get it; called for POST /register, the presence endpoints and events. */
export function publicPresence({ activeAtMs, connectedAtMs }: Times) {
  return { active_timestamp: toSeconds(activeAtMs), idle_timestamp: toSeconds(connectedAtMs) };
}

/** The same for older clients: as if it were about the one program that somebody uses. */
export function publicLegacyPresence({ activeAtMs, connectedAtMs }: Times) {
  const isActive = activeAtMs + PRESENCE.legacyActiveSecs * 1000 >= connectedAtMs;
  return {
    client: 'website',
    status: isActive ? ('active' as const) : ('idle' as const),
    timestamp: toSeconds(isActive ? activeAtMs : connectedAtMs),
    pushable: false,
  };
}
