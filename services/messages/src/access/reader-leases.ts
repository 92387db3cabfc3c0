import { randomUUID } from 'node:crypto';
import { type Bus, followLeaseEndings, type LeaseEnding, reachesHolder } from '@parley/shared/bus';
import type { UsedCredential } from '@parley/shared/proto';
import { type CallCredential, type Caller, newCall, type RpcClient } from '@parley/shared/rpc';
import { type Clock, monotonicClock, systemClock } from '@parley/shared/values';
import { LRUCache } from 'lru-cache';

/** What realm has said of a reader. It holds until realm ends the lease. */
export interface Lease {
  /** See ReadFacts. */
  version: string;
  usersVersion: string | undefined;
}

/** A question whose answer may be leased. */
export interface LeaseQuestion {
  /** Asks. Realm looks at the credential for it, even if another call of the request has it confirmed meanwhile. */
  caller: Caller;
  /** `lastsMs`: from the question on. */
  keep(lease: Lease, lastsMs: number): void;
}

type Realm = Pick<RpcClient<'realm'>, 'holdLeases'>;

interface Needs {
  realm: Realm;
  bus: Pick<Bus, 'connection' | 'prefix'>;
  clock: Clock;
}

const RENEWED_EVERY_MS = 600;
/** Until then a replica without requests stays a holder. */
const NEEDED_FOR_MS = 10_000;
/** After a refusal: changes wait for all leases to end then. */
const PAUSE_MS = 3_000;
/** A renewal that takes longer comes too late. */
const callOfHolder = () => newCall(undefined, 2_000);
/** The part of its time for which a holder takes itself for one: clocks may differ in their rates. */
const TRUSTED = 0.9;

/**
 * The leases of this replica. It is a holder for two seconds from each renewal. Before realm commits a change, it tells each holder, which forgets leases
 * and says so; from one that does not answer it waits until these seconds are over. So what is recalled here is true, at that moment.
 */
export class ReaderLeases {
  readonly #holderId = randomUUID();
  readonly #stopFollowing: () => void;
  #held: HeldLeases | undefined;
  #isHolder = (): boolean => false;
  #pausedUntil = 0;
  #neededUntil = 0;
  #cancelRenewal: (() => void) | undefined;
  #isStopped = false;

  constructor(private readonly needs: Needs) {
    this.#stopFollowing = followLeaseEndings(needs.bus, this.#holderId, (endings) => this.#held?.end(endings));
  }

  /** The lease of the reader. Confirms the credential of the call with it. */
  recall(caller: Caller): Lease | undefined {
    this.#need();
    return this.#now()?.recall(caller);
  }

  /** Undefined: this replica is no holder now. Called before realm is asked. */
  ask(caller: Caller): LeaseQuestion | undefined {
    return this.#now()?.ask(caller);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelRenewal?.();
    this.#stopFollowing();
    const wasHolder = this.#held !== undefined;
    this.#held = undefined;
    if (wasHolder)
      await this.needs.realm.holdLeases(callOfHolder(), { holderId: this.#holderId, isOver: true }).catch(() => {});
  }

  #now(): HeldLeases | undefined {
    return this.#isHolder() ? this.#held : undefined;
  }

  #need(): void {
    const now = performance.now();
    this.#neededUntil = now + NEEDED_FOR_MS;
    if (!this.#cancelRenewal && !this.#isStopped && now >= this.#pausedUntil) this.#renewIn(0);
  }

  #renewIn(delayMs: number): void {
    this.#cancelRenewal = this.needs.clock.after(delayMs, () => void this.#renewWhileNeeded());
  }

  async #renewWhileNeeded(): Promise<void> {
    const beganAt = performance.now();
    const isHolder = await this.#renew().catch(() => false);
    this.#cancelRenewal = undefined;
    if (!isHolder) {
      this.#held = undefined;
      this.#pausedUntil = performance.now() + PAUSE_MS;
    } else if (!this.#isStopped && beganAt < this.#neededUntil) {
      this.#renewIn(RENEWED_EVERY_MS);
    }
  }

  /** False: this replica may not be a holder, or is none. */
  async #renew(): Promise<boolean> {
    const { realm, bus, clock } = this.needs;
    // A holder that cannot be told of changes would delay them.
    if (!this.#now() && !(await reachesHolder(bus, this.#holderId))) return false;
    const isWithin = timeFromNow(clock);
    const { lastsMs, hasBegun } = await realm.holdLeases(callOfHolder(), { holderId: this.#holderId });
    if (lastsMs === undefined || this.#isStopped) return false;
    // What was leased before a gap may have changed during it.
    if (hasBegun || !this.#now()) this.#held = new HeldLeases(clock);
    this.#isHolder = () => isWithin(lastsMs * TRUSTED);
    return true;
  }
}

/**
 * Whether less than some time has passed since now, by all clocks: the monotonic one stands still while the machine sleeps, that of the machine may
 * be set back, and that of the service follows both of them late.
 */
function timeFromNow(clock: Clock): (ms: number) => boolean {
  const clocks = [monotonicClock, systemClock, clock];
  const since = clocks.map((each) => each.now());
  return (ms) => clocks.every((each, index) => each.now() - (since[index] as number) < ms);
}

const MOST_LEASES = 20_000;
/** Beyond that all leases are forgotten instead of each. */
const MOST_ENDINGS = 10_000;

interface KnownLease extends Lease {
  /** The number of endings before it was asked for. */
  asked: number;
  credential: UsedCredential | undefined;
  lastsMs: number;
  /** Since the question. */
  isWithin(ms: number): boolean;
}

/** What is leased while this replica is a holder without a gap. */
class HeldLeases {
  readonly #leases = new LRUCache<string, KnownLease>({ max: MOST_LEASES });
  #endings = 0;
  /** The number of the last ending of each organization, and of each user. */
  readonly #lastOf = new Map<string, number>();
  /** What was asked for earlier has ended. */
  #endedBefore = 0;

  constructor(private readonly clock: Clock) {}

  ask(caller: Caller): LeaseQuestion {
    const asked = this.#endings;
    const isWithin = timeFromNow(this.clock);
    const credential = toConfirm(caller);
    const used = credential && { ...credential };
    return {
      caller: used ? { ...caller, credential: used } : caller,
      keep: (lease, lastsMs) => {
        if (this.#hasEnded(caller, asked)) return;
        this.#leases.set(keyOf(caller, used), { ...lease, asked, credential: used, lastsMs, isWithin });
      },
    };
  }

  recall(caller: Caller): Lease | undefined {
    const credential = toConfirm(caller);
    const lease = this.#leases.get(keyOf(caller, credential));
    if (!lease?.isWithin(lease.lastsMs) || this.#hasEnded(caller, lease.asked)) return undefined;
    if (!credential) return lease;
    if (!isSame(credential, lease.credential)) return undefined;
    credential.isConfirmed = true;
    return lease;
  }

  end(endings: readonly LeaseEnding[]): void {
    this.#endings += 1;
    for (const { realmId, userId } of endings) this.#lastOf.set(scopeOf(realmId, userId), this.#endings);
    if (this.#lastOf.size <= MOST_ENDINGS) return;
    this.#lastOf.clear();
    this.#endedBefore = this.#endings;
  }

  #hasEnded({ realmId, userId }: Caller, asked: number): boolean {
    const isAfter = (ending = 0) => ending > asked;
    return (
      asked < this.#endedBefore ||
      isAfter(this.#lastOf.get(scopeOf(realmId, null))) ||
      isAfter(this.#lastOf.get(scopeOf(realmId, userId)))
    );
  }
}

/** What realm confirms with the answer. A credential that was confirmed by an earlier call is not confirmed again, so it is not leased. */
function toConfirm({ credential }: Caller): CallCredential | undefined {
  return credential?.isConfirmed ? undefined : credential;
}

const scopeOf = (realmId: number, userId: number | null) => `${realmId}/${userId ?? ''}`;

function keyOf({ realmId, userId }: Caller, credential: UsedCredential | undefined): string {
  return `${realmId}/${userId}/${credential?.apiKeyId ?? ''}`;
}

function isSame(one: UsedCredential, other: UsedCredential | undefined): boolean {
  return one.email === other?.email && one.subdomain === other.subdomain && one.role === other.role;
}
