import { RateLimitHitError } from '@parley/shared/errors';
import type { Caller } from '@parley/shared/rpc';
import { type Clock, isVisitor } from '@parley/shared/values';
import type { Config } from '../config';
import type { Exchange } from '../http/exchange';
import { Buckets, type Standing } from './buckets';
import { clientAddress } from './client-address';
import { LIMIT_NAMES, LIMITS, type LimitName, type OwnLimit } from './limits';

const MINUTE_MS = 60_000;

type Settings = Pick<Config, 'RATE_LIMITS' | 'TRUSTED_PROXIES' | (typeof LIMITS)[LimitName]>;

/**
 * How many requests one account, or one address without an account, may make. A request is counted by one call of countAccount or
 * countAddress, or of countRefused in its place, and, where it costs much, by countOwn after that.
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

  /** Once it is known who asks. Throws RateLimitHitError. */
  countAccount(exchange: Exchange): void {
    if (!this.settings.RATE_LIMITS || !('userId' in exchange.call)) return;
    requireRoom(exchange, this.buckets.accounts.take(keyOf(exchange.call), this.clock.now()));
  }

  /** Throws RateLimitHitError. */
  countAddress(exchange: Exchange): void {
    if (!this.settings.RATE_LIMITS) return;
    requireRoom(exchange, this.buckets.addresses.take(this.addressOf(exchange), this.clock.now()));
  }

  /** Of who is not let in, with credentials or without. Throws RateLimitHitError. */
  countRefused(exchange: Exchange): void {
    if (!this.settings.RATE_LIMITS) return;
    const hasCredentials = exchange.header('authorization') !== undefined;
    if (hasCredentials) this.buckets.wrongCredentials.take(this.addressOf(exchange), this.clock.now());
    this.countAddress(exchange);
  }

  /** Of what costs much; who asks is counted already. They are told of the bucket that has less left. Throws RateLimitHitError. */
  countOwn(exchange: Exchange, limit: OwnLimit): void {
    if (!this.settings.RATE_LIMITS) return;
    const { call, standing } = exchange;
    const isAccount = 'userId' in call && !isVisitor(call);
    const own = this.buckets[limit].take(isAccount ? keyOf(call) : this.addressOf(exchange), this.clock.now());
    requireRoom(exchange, own);
    if (standing !== null && standing.remaining < own.remaining) exchange.standing = standing;
  }

  /** From where too many wrong credentials came no more are tried. Throws RateLimitHitError. */
  requireTrustIn(exchange: Exchange): void {
    if (!this.settings.RATE_LIMITS) return;
    const waitMs = this.buckets.wrongCredentials.waitMs(this.addressOf(exchange), this.clock.now());
    if (waitMs > 0) throw new RateLimitHitError(secsOf(waitMs));
  }

  /** From where a request comes, as far as the proxies are trusted. It is found out once. */
  addressOf(exchange: Exchange): string {
    if (exchange.address === '') exchange.address = clientAddress(exchange.req, this.settings.TRUSTED_PROXIES);
    return exchange.address;
  }
}

function keyOf({ realmId, userId }: Caller): string {
  return `${realmId}/${userId}`;
}

function requireRoom(exchange: Exchange, standing: Standing): void {
  exchange.standing = standing;
  if (standing.retryAfterMs > 0) throw new RateLimitHitError(secsOf(standing.retryAfterMs));
}

function secsOf(ms: number): number {
  return Math.ceil(ms) / 1000;
}
