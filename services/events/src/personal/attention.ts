import type { AlertWordsChanged, MutedUsersChanged, Receiver } from '@parley/shared/events';
import type { AlertWordSince, Attention as KnownAttention } from '@parley/shared/proto';
import { isGuest } from '@parley/shared/values';

/** What flags of messages depend on beside the messages. */
type Attentive = Pick<Receiver, 'alertWords' | 'hasMuted'>;

/** Most people have neither words nor enemies. */
export const INDIFFERENT: Attentive = { alertWords: [], hasMuted: () => false };

/**
 * What a user wants to be alerted to, whom they do not want to hear, whom they may know, and whether they are a guest: as realm said,
 * and as events have changed it since.
 */
export class Attention {
  #alertWords: readonly AlertWordSince[] | undefined;
  /** Up to which position of the log what these have sent is read: without end while they are muted. */
  #readUntil: Map<number, number> | undefined;
  #isAnswered = false;
  #isGuest: boolean | undefined;
  /** Whom they may know; null: everybody. */
  #knownIds: Set<number> | null = null;
  /** What events have told of that before realm has answered. */
  #metMeanwhile: Map<number, boolean> | undefined;

  /** What events have told meanwhile is newer than an answer that was on its way. */
  adopt({ alertWords, mutedUserIds, isRestricted, knownUserIds, ...known }: KnownAttention): void {
    this.#alertWords ??= alertWords;
    this.#isGuest ??= known.isGuest;
    this.#readUntil ??= new Map(mutedUserIds.map((userId) => [userId, Number.POSITIVE_INFINITY]));
    this.#isAnswered = true;
    this.#knownIds = isRestricted ? new Set(knownUserIds) : null;
    for (const [userId, isKnown] of this.#metMeanwhile ?? []) this.changeKnown(userId, isKnown);
    this.#metMeanwhile = undefined;
  }

  /** Whether they are a guest, as far as is known now. */
  get isGuest(): boolean {
    return this.#isGuest !== false;
  }

  /** Whether there is anybody whom they may not know. */
  get isSelective(): boolean {
    return this.#knownIds !== null;
  }

  /** Whether they may know who that is. */
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

  /** Whoever is muted no longer is heard from `position` on; what they had sent before stays read. */
  changeMutedUsers({ mutedUserId, isMuted, mutedUsers }: MutedUsersChanged, position: number): void {
    this.#readUntil ??= new Map();
    for (const { userId } of mutedUsers) this.#readUntil.set(userId, Number.POSITIVE_INFINITY);
    if (!isMuted) this.#readUntil.set(mutedUserId, position);
  }

  /** As it is for an event at that position of the log. */
  at(position: number): Attentive {
    const { length } = this.#alertWords ?? [];
    if (length === 0 && !this.#readUntil?.size) return INDIFFERENT;
    return {
      alertWords: this.#alertWords ?? [],
      hasMuted: (senderId) => position < (this.#readUntil?.get(senderId) ?? Number.NEGATIVE_INFINITY),
    };
  }
}
