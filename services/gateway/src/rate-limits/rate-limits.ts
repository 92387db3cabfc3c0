import type { IncomingMessage } from 'node:http';
import { RateLimitHitError } from '@parley/shared/errors';
import type { Clock } from '@parley/shared/values';
import type { Config } from '../config';
import type { Exchange } from '../http/exchange';
import { Buckets, type Standing } from './buckets';
import { clientAddress } from './client-address';

const MINUTE_MS = 60_000;

type Settings = Pick<
  Config,
  'RATE_LIMITS' | 'TRUSTED_PROXIES' | 'ACCOUNT_REQUESTS_PER_MINUTE' | 'ADDRESS_REQUESTS_PER_MINUTE'
>;

/** How many requests one account, or one address without an account, may make. A request is counted by one call of these. */
export class RateLimits {
  readonly accounts: Buckets;
  /** For whoever shows no credentials, or wrong ones. */
  readonly addresses: Buckets;

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {
    this.accounts = new Buckets({ requests: settings.ACCOUNT_REQUESTS_PER_MINUTE, windowMs: MINUTE_MS });
    this.addresses = new Buckets({ requests: settings.ADDRESS_REQUESTS_PER_MINUTE, windowMs: MINUTE_MS });
  }

  /** Once it is known who asks. Throws RateLimitHitError. */
  countAccount(exchange: Exchange): void {
    if (!this.settings.RATE_LIMITS || !('userId' in exchange.call)) return;
    const { realmId, userId } = exchange.call;
    requireRoom(exchange, this.accounts.take(`${realmId}/${userId}`, this.clock.now()));
  }

  /** Throws RateLimitHitError. */
  countAddress(exchange: Exchange): void {
    if (!this.settings.RATE_LIMITS) return;
    exchange.address = this.addressOf(exchange.req);
    requireRoom(exchange, this.addresses.take(exchange.address, this.clock.now()));
  }

  /** From where too many wrong credentials came no more are tried. Throws RateLimitHitError. */
  requireTrustIn(exchange: Exchange): void {
    if (!this.settings.RATE_LIMITS) return;
    const waitMs = this.addresses.waitMs(this.addressOf(exchange.req), this.clock.now());
    if (waitMs > 0) throw new RateLimitHitError(secsOf(waitMs));
  }

  /** From where a request comes, as far as the proxies are trusted. */
  addressOf(req: IncomingMessage): string {
    return clientAddress(req, this.settings.TRUSTED_PROXIES);
  }
}

function requireRoom(exchange: Exchange, standing: Standing): void {
  exchange.standing = standing;
  if (standing.retryAfterMs > 0) throw new RateLimitHitError(secsOf(standing.retryAfterMs));
}

function secsOf(ms: number): number {
  return Math.ceil(ms) / 1000;
}
