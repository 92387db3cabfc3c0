import type { Clock } from '@parley/shared/values';
import type { QueueDescriptor } from './queue';

const DEFAULT_LIFESPAN_SECS = 600;
export const MAX_LIFESPAN_SECS = 7 * 24 * 3_600;

const MAX_SLACK_MS = 60_000;

/** Seconds without a poll after which a queue expires; 0: the default. */
export function lifespanOf(requestedSecs: number): number {
  return requestedSecs > 0 ? Math.min(requestedSecs, MAX_LIFESPAN_SECS) : DEFAULT_LIFESPAN_SECS;
}

/** A queue lives this much longer than requested, so that polls need not store a new expiry each time. */
export function slackMsOf(lifespanSecs: number): number {
  return Math.min(MAX_SLACK_MS, lifespanSecs * 100);
}

/** By then a queue without polls has expired, whatever its lifespan. */
const MARK_LIFE_MS = MAX_LIFESPAN_SECS * 1000 + slackMsOf(MAX_LIFESPAN_SECS);

type End = Pick<Mark, 'epoch' | 'position'>;

interface Mark {
  epoch: string;
  /** Queues that began before this position have ended. */
  position: number;
  forgetAtMs: number;
}

/**
 * The position in the log up to which the queues of a user, or of an organization, are ended. Every pod reads it from the log, so
 * it applies to all of them, and to queues that they load later; returning clients register new queues.
 */
export class EndedQueues {
  readonly #marks = new Map<string, Mark>();
  /** By organization: the last position of its marks, a fast check for newer queues. */
  readonly #lastPositions = new Map<number, number>();

  constructor(private readonly clock: Clock) {}

  /** Without `userId`: all users. */
  end(realmId: number, userId: number | undefined, end: End): void {
    this.#mark(realmId, keyOf(realmId, userId), end);
  }

  /** Only the user's queues that get all public channels. */
  endWide(realmId: number, userId: number, end: End): void {
    this.#mark(realmId, wideKeyOf(realmId, userId), end);
  }

  /** Only those of the user's queues that were created with one of these API keys. */
  endKeys(realmId: number, userId: number, apiKeyIds: readonly number[], end: End): void {
    for (const apiKeyId of apiKeyIds) this.#mark(realmId, apiKeyOf(realmId, userId, apiKeyId), end);
  }

  has({ realmId, userId, apiKeyId, epoch, beginsAt, isWide }: QueueDescriptor): boolean {
    if (beginsAt >= (this.#lastPositions.get(realmId) ?? 0)) return false;
    const keys = [keyOf(realmId, userId), keyOf(realmId), apiKeyOf(realmId, userId, apiKeyId)];
    if (isWide) keys.push(wideKeyOf(realmId, userId));
    return keys.some((key) => {
      const mark = this.#marks.get(key);
      return mark !== undefined && mark.epoch === epoch && beginsAt < mark.position;
    });
  }

  /** Deletes the marks whose queues have expired. */
  forgetExpired(): void {
    const nowMs = this.clock.now();
    for (const [key, { forgetAtMs }] of this.#marks) if (forgetAtMs <= nowMs) this.#marks.delete(key);
  }

  #mark(realmId: number, key: string, { epoch, position }: End): void {
    this.#lastPositions.set(realmId, Math.max(position, this.#lastPositions.get(realmId) ?? 0));
    this.#marks.set(key, { epoch, position, forgetAtMs: this.clock.now() + MARK_LIFE_MS });
  }
}

function keyOf(realmId: number, userId?: number): string {
  return `${realmId}/${userId ?? ''}`;
}

function wideKeyOf(realmId: number, userId: number): string {
  return `${keyOf(realmId, userId)}/wide`;
}

function apiKeyOf(realmId: number, userId: number, apiKeyId: number): string {
  return `${keyOf(realmId, userId)}/key/${apiKeyId}`;
}
