import type { SubscriptionChanged } from '@parley/shared/events';
import { endOfRecord } from '../log/event-id';
import type { ChannelVersion } from './reach';

/** Channels that are looked through at once for what may be forgotten. */
const MIN_SWEPT = 1_000;

interface Change {
  eventId: number;
  version: number;
  unsubscribedIds: readonly number[];
}

/**
 * Who left which channel when, as the log tells it. A message may be stored while somebody leaves, with the version of before, and come
 * behind that in the log: then it is read for them, as all is in a channel that one is not in. By places in the log, so every pod says
 * the same at any time.
 */
export class Departures {
  /** Of each channel, in the log's order. */
  readonly #changes = new Map<string, Change[]>();
  #sweptAt = MIN_SWEPT;

  /** `floor`: up to which the log is not held any more; nobody asks about events from before. */
  note(
    realmId: number,
    { channelId, version, unsubscribedIds }: SubscriptionChanged,
    seq: number,
    floor: number,
  ): void {
    if (unsubscribedIds.length === 0) return;
    if (this.#changes.size >= this.#sweptAt) this.#sweep(floor);
    const key = `${realmId}/${channelId}`;
    const changes = this.#changes.get(key) ?? [];
    this.#changes.set(key, changes);
    changes.push({ eventId: endOfRecord(seq), version, unsubscribedIds });
    if ((changes[0] as Change).eventId <= floor) changes.splice(0, firstBehind(changes, 'eventId', floor));
  }

  /** Whether whoever was subscribed at that version had left when that event came. */
  hasLeft(realmId: number, { channelId, version }: ChannelVersion, userId: number, eventId: number): boolean {
    const changes = this.#changes.get(`${realmId}/${channelId}`);
    if (changes === undefined) return false;
    for (let index = firstBehind(changes, 'version', version); index < changes.length; index += 1) {
      const change = changes[index] as Change;
      if (change.eventId > eventId) return false;
      if (change.unsubscribedIds.includes(userId)) return true;
    }
    return false;
  }

  forgetAll(): void {
    this.#changes.clear();
  }

  #sweep(floor: number): void {
    for (const [key, changes] of this.#changes)
      if ((changes.at(-1) as Change).eventId <= floor) this.#changes.delete(key);
    this.#sweptAt = Math.max(MIN_SWEPT, this.#changes.size * 2);
  }
}

/** Index of the first change with more than that. */
function firstBehind(changes: readonly Change[], name: 'eventId' | 'version', value: number): number {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((changes[middle] as Change)[name] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
