import type { MutedUser } from '../proto';
import { toSeconds } from '../values';

/** A muted user in the public dialect; called for POST /register and events. */
export function publicMutedUser({ userId, mutedAtMs }: MutedUser) {
  return { id: userId, timestamp: toSeconds(mutedAtMs) };
}
