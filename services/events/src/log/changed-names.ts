import type { MessageSent } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { endOfRecord } from './event-id';

/** Number of people and channels whose expired entries are removed at once. */
const MIN_SWEPT = 1_000;

/** What messages show of their people. */
const SHOWN = ['email', 'emailAddressVisibility', 'avatarSource', 'avatarVersion', 'avatarFileName'] as const;

interface Change {
  eventId: number;
  members: Partial<User>;
}

interface Renaming {
  eventId: number;
  members: { channelName: string };
}

/**
 * Names, addresses and pictures of people, and names of channels, by the positions in the log at which they changed. A message that is sent while
 * its channel or one of its people is renamed may have the earlier name, and yet come later in the log. Clients have heard of the change by then, so
 * the message's event gets the later name. As positions in the log decide, every pod shows the same at any time.
 */
export class ChangedNames {
  /** By person and by channel, in the log's order. */
  readonly #people = new Map<string, Change[]>();
  readonly #channels = new Map<string, Renaming[]>();
  #sweptAt = MIN_SWEPT;

  /** `floor`: the start of the log window; earlier events are never looked up. */
  noteName(
    realmId: number,
    { userId, fullName }: { userId: number; fullName: string },
    seq: number,
    floor: number,
  ): void {
    this.#note(this.#people, `${realmId}/${userId}`, { eventId: endOfRecord(seq), members: { fullName } }, floor);
  }

  /** The same for the account's address or picture. */
  noteAccount(realmId: number, { user }: { user: User }, seq: number, floor: number): void {
    const members = Object.fromEntries(SHOWN.map((member) => [member, user[member]]));
    this.#note(this.#people, `${realmId}/${user.id}`, { eventId: endOfRecord(seq), members }, floor);
  }

  /** The same for a channel; nothing if its name stays. */
  noteChannel(
    realmId: number,
    { channelId, change: { name } }: { channelId: number; change: { name?: string } },
    seq: number,
    floor: number,
  ): void {
    if (name === undefined) return;
    const renaming = { eventId: endOfRecord(seq), members: { channelName: name } };
    this.#note(this.#channels, `${realmId}/${channelId}`, renaming, floor);
  }

  /** The event of a message with what was changed before that record. */
  corrected(realmId: number, sent: MessageSent, seq: number): MessageSent {
    if (this.#people.size === 0 && this.#channels.size === 0) return sent;
    const { sender, participants, channelId } = sent.message;
    const current = (user: User): User => ({
      ...user,
      ...changedBefore(this.#people.get(`${realmId}/${user.id}`), seq),
    });
    return {
      ...sent,
      message: {
        ...sent.message,
        ...(channelId !== undefined && changedBefore(this.#channels.get(`${realmId}/${channelId}`), seq)),
        sender: sender && current(sender),
        participants: participants.map(current),
      },
    };
  }

  forgetAll(): void {
    this.#people.clear();
    this.#channels.clear();
  }

  #note<Noted extends { eventId: number }>(map: Map<string, Noted[]>, key: string, noted: Noted, floor: number): void {
    if (map.size >= this.#sweptAt) this.#sweep(floor);
    const earlier = map.get(key) ?? [];
    map.set(key, [...earlier.filter(({ eventId }) => eventId > floor), noted]);
  }

  #sweep(floor: number): void {
    for (const map of [this.#people, this.#channels])
      for (const [key, changes] of map) if (changes.every(({ eventId }) => eventId <= floor)) map.delete(key);
    this.#sweptAt = Math.max(MIN_SWEPT, this.#people.size * 2, this.#channels.size * 2);
  }
}

/** The last value of each member. */
function changedBefore<Members extends object>(
  changes: readonly { eventId: number; members: Members }[] | undefined,
  seq: number,
): Members | undefined {
  const earlier = changes?.filter(({ eventId }) => eventId < endOfRecord(seq)) ?? [];
  return earlier.length === 0 ? undefined : Object.assign({}, ...earlier.map(({ members }) => members));
}
