import type { AlertWordsChanged, MutedUsersChanged, Receiver } from '@parley/shared/events';
import type { AlertWordSince, Attention as KnownAttention } from '@parley/shared/proto';
import { isGuest } from '@parley/shared/values';

/** The facts that determine a message's flags, besides the message. */
type Attentive = Pick<Receiver, 'alertWords' | 'hasMuted'>;

/** Most users have no alert words and mute nobody. */
export const INDIFFERENT: Attentive = { alertWords: [], hasMuted: () => false };

/** A user's alert words and mutes, the users they can see, and whether they are a guest: loaded from realm, and updated by events. */
export class Attention {
  #alertWords: readonly AlertWordSince[] | undefined;
  /** The position in the log up to which messages of these users are read: infinite while they are muted. */
  #readUntil: Map<number, number> | undefined;
  #isAnswered = false;
  #isGuest: boolean | undefined;
  /** The users they can see; null: all. */
  #knownIds: Set<number> | null = null;
  /** Changes from events that arrive before realm's answer. */
  #metMeanwhile: Map<number, boolean> | undefined;

  /** Users changed by these events, which are newer than the answer. */
  adopt({ alertWords, mutedUserIds, isRestricted, knownUserIds, ...known }: KnownAttention): void {
    this.#alertWords ??= alertWords;
    this.#isGuest ??= known.isGuest;
    // Most users mute nobody: a map for each would take as much memory as the rest.
    if (mutedUserIds.length > 0)
      this.#readUntil ??= new Map(mutedUserIds.map((userId) => [userId, Number.POSITIVE_INFINITY]));
    this.#isAnswered = true;
    this.#knownIds = isRestricted ? new Set(knownUserIds) : null;
    for (const [userId, isKnown] of this.#metMeanwhile ?? []) this.changeKnown(userId, isKnown);
    this.#metMeanwhile = undefined;
  }

  /** Whether they are a guest, as far as known now. */
  get isGuest(): boolean {
    return this.#isGuest !== false;
  }

  /** Whether some users are hidden from them. */
  get isSelective(): boolean {
    return this.#knownIds !== null;
  }

  /** Whether they may see that user. */
  knows(userId: number): boolean {
    return this.#knownIds === null || this.#knownIds.has(userId);
  }

  changeKnown(userId: number, isKnown: boolean): void {
    if (isKnown) this.#knownIds?.add(userId);
    else this.#knownIds?.delete(userId);
    if (this.#isAnswered) return;
    this.#metMeanwhile ??= new Map();
    this.#metMeanwhile.set(userId, isKnown);
  }

  changeRole(role: number): void {
    this.#isGuest = isGuest(role);
  }

  changeAlertWords({ alertWords }: AlertWordsChanged): void {
    this.#alertWords = alertWords;
  }

  /** An unmuted user's messages count from `position` on; earlier ones stay read. */
  changeMutedUsers({ mutedUserId, isMuted, mutedUsers }: MutedUsersChanged, position: number): void {
    this.#readUntil ??= new Map();
    for (const { userId } of mutedUsers) this.#readUntil.set(userId, Number.POSITIVE_INFINITY);
    if (!isMuted) this.#readUntil.set(mutedUserId, position);
  }

  /** Alert words and mutes as of an event at that position of the log. */
  at(position: number): Attentive {
    const { length } = this.#alertWords ?? [];
    if (length === 0 && !this.#readUntil?.size) return INDIFFERENT;
    return {
      alertWords: this.#alertWords ?? [],
      hasMuted: (senderId) => position < (this.#readUntil?.get(senderId) ?? Number.NEGATIVE_INFINITY),
    };
  }
}
