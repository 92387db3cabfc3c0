import type { IncomingMessage } from 'node:http';
import { RateLimitHitError } from '@parley/shared/errors';
import type { Call, Caller } from '@parley/shared/rpc';
import { type Clock, isVisitor } from '@parley/shared/values';
import type { Config } from '../config';
import { Buckets, type RateLimitStatus } from './buckets';
import { clientAddress } from './client-address';
import { LIMIT_NAMES, LIMITS, type LimitName, type OwnLimit } from './limits';

const MINUTE_MS = 60_000;

type Settings = Pick<Config, 'RATE_LIMITS' | 'TRUSTED_PROXIES' | (typeof LIMITS)[LimitName]>;

/** The data of a request that is needed for counting. */
export interface CountedRequest {
  readonly req: IncomingMessage;
  readonly call: Call | Caller;
  /** The client's address; empty until first used. */
  address: string;
  /** The caller's status, if the request was counted. */
  rateLimitStatus: RateLimitStatus | null;
  header(name: string): string | undefined;
}

/**
 * Rate limits of an account, or of an address without an account. Each request is counted by one call of countAccount or
 * countAddress, or of countRefused instead, and, if it is costly, by countOwn after that.
 */
export class RateLimits {
  readonly buckets: Readonly<Record<LimitName, Buckets>>;

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {
    const bucketsOf = (name: LimitName) => new Buckets({ requests: settings[LIMITS[name]], windowMs: MINUTE_MS });
    const entries = LIMIT_NAMES.map((name) => [name, bucketsOf(name)]);
    this.buckets = Object.fromEntries(entries) as Record<LimitName, Buckets>;
  }

  /** To be called once the caller is known. Throws RateLimitHitError. */
  countAccount(request: CountedRequest): void {
    if (!this.settings.RATE_LIMITS || !('userId' in request.call)) return;
    requireRoom(request, this.buckets.accounts.take(keyOf(request.call), this.clock.now()));
  }

  /** Throws RateLimitHitError. */
  countAddress(request: CountedRequest): void {
    if (!this.settings.RATE_LIMITS) return;
    requireRoom(request, this.buckets.addresses.take(this.addressOf(request), this.clock.now()));
  }

  /** For a request that is refused, with credentials or without. Throws RateLimitHitError. */
  countRefused(request: CountedRequest): void {
    if (!this.settings.RATE_LIMITS) return;
    const hasCredentials = request.header('authorization') !== undefined;
    if (hasCredentials) this.buckets.wrongCredentials.take(this.addressOf(request), this.clock.now());
    this.countAddress(request);
  }

  /**
   * For a costly request whose caller is counted already. The caller's status is that of the emptier bucket. Throws
   * RateLimitHitError.
   */
  countOwn(request: CountedRequest, limit: OwnLimit): void {
    if (!this.settings.RATE_LIMITS) return;
    const { call, rateLimitStatus } = request;
    const isAccount = 'userId' in call && !isVisitor(call);
    const own = this.buckets[limit].take(isAccount ? keyOf(call) : this.addressOf(request), this.clock.now());
    requireRoom(request, own);
    if (rateLimitStatus !== null && rateLimitStatus.remaining < own.remaining)
      request.rateLimitStatus = rateLimitStatus;
  }

  /** For a mail that comes in; `key` stands for its recipient. Throws RateLimitHitError. */
  countMail(key: string): void {
    if (!this.settings.RATE_LIMITS) return;
    const { retryAfterMs } = this.buckets.mails.take(key, this.clock.now());
    if (retryAfterMs > 0) throw new RateLimitHitError(secsOf(retryAfterMs));
  }

  /** After too many wrong credentials from an address, no more are tried. Throws RateLimitHitError. */
  requireTrustIn(request: CountedRequest): void {
    if (!this.settings.RATE_LIMITS) return;
    const waitMs = this.buckets.wrongCredentials.waitMs(this.addressOf(request), this.clock.now());
    if (waitMs > 0) throw new RateLimitHitError(secsOf(waitMs));
  }

  /** The client's address, considering trusted proxies. It is determined once. */
  addressOf(request: CountedRequest): string {
    if (request.address === '') request.address = clientAddress(request.req, this.settings.TRUSTED_PROXIES);
    return request.address;
  }
}

function keyOf({ realmId, userId }: Caller): string {
  return `${realmId}/${userId}`;
}

function requireRoom(request: CountedRequest, rateLimitStatus: RateLimitStatus): void {
  request.rateLimitStatus = rateLimitStatus;
  if (rateLimitStatus.retryAfterMs > 0) throw new RateLimitHitError(secsOf(rateLimitStatus.retryAfterMs));
}

function secsOf(ms: number): number {
  return Math.ceil(ms) / 1000;
}
