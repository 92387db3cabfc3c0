import type { ChannelArchived, SubscriptionChanged } from '@parley/shared/events';
import type { ChannelVersion } from '../audience/resolved-audience';
import { endOfRecord } from '../log/event-id';

/** Number of channels whose expired entries are removed at once. */
const MIN_SWEPT = 1_000;

interface Change {
  eventId: number;
  version: number;
  unsubscribedIds: readonly number[];
}

interface Archiving {
  eventId: number;
  isArchived: boolean;
}

/**
 * When users left channels, and when channels were archived, by positions in the log. A message may be stored while a user
 * leaves, with the previous version, and come later in the log: it is read for them, like everything in a channel that they have
 * left. Likewise a message stored while its channel is archived is read for everybody until the channel is restored. Positions in
 * the log make every pod decide the same at any time.
 */
export class Departures {
  /** Per channel, in the log's order. */
  readonly #changes = new Map<string, Change[]>();
  readonly #archivings = new Map<string, Archiving[]>();
  #sweptAt = MIN_SWEPT;

  /** `floor`: the start of the log window; earlier events are never looked up. */
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

  /** `floor`: as of note(). */
  noteArchived(realmId: number, { channel }: ChannelArchived, seq: number, floor: number): void {
    if (this.#archivings.size >= this.#sweptAt) this.#sweep(floor);
    const key = `${realmId}/${channel.id}`;
    const archivings = this.#archivings.get(key) ?? [];
    this.#archivings.set(key, archivings);
    archivings.push({ eventId: endOfRecord(seq), isArchived: channel.isArchived });
    if ((archivings[0] as Archiving).eventId <= floor)
      archivings.splice(0, firstBehind(archivings, 'eventId', floor) - 1);
  }

  /** Whether a subscriber of that version had left before that event, or the channel was archived then. */
  hasLeft(realmId: number, { channelId, version }: ChannelVersion, userId: number, eventId: number): boolean {
    if (this.#isArchived(`${realmId}/${channelId}`, eventId)) return true;
    const changes = this.#changes.get(`${realmId}/${channelId}`);
    if (changes === undefined) return false;
    for (let index = firstBehind(changes, 'version', version); index < changes.length; index += 1) {
      const change = changes[index] as Change;
      if (change.eventId > eventId) return false;
      if (change.unsubscribedIds.includes(userId)) return true;
    }
    return false;
  }

  #isArchived(key: string, eventId: number): boolean {
    const archivings = this.#archivings.get(key);
    return archivings?.[firstBehind(archivings, 'eventId', eventId) - 1]?.isArchived === true;
  }

  forgetAll(): void {
    this.#changes.clear();
    this.#archivings.clear();
  }

  #sweep(floor: number): void {
    for (const changes of [this.#changes, this.#archivings])
      for (const [key, ofChannel] of changes)
        if (ofChannel.every(({ eventId }) => eventId <= floor)) changes.delete(key);
    this.#sweptAt = Math.max(MIN_SWEPT, this.#changes.size * 2, this.#archivings.size * 2);
  }
}

/** Index of the first change with a larger position. */
function firstBehind<Name extends string>(changes: readonly Record<Name, number>[], name: Name, value: number): number {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((changes[middle] as Record<Name, number>)[name] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
