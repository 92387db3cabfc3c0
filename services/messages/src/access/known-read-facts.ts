import { VersionedMemory } from '@parley/shared/batch';
import type { ChannelScope, ReadFacts } from '@parley/shared/proto';
import type { Caller, RpcClient } from '@parley/shared/rpc';
import type { Clock } from '@parley/shared/values';
import type { ReaderLeases } from './reader-leases';

const MAX_BYTES = 64 * 1024 * 1024;
const NO_LEASES = { recall: () => undefined, ask: () => undefined };
/** Approximate sizes: of the organization with its settings, and of each channel. */
const [FACTS_BYTES, CHANNEL_BYTES] = [4096, 512];

/**
 * Realm's facts about readers: cached by their version, which realm has leased to this replica, or checks with the request, along with the credential.
 * So a lost right counts from the next request on. Two things may be older than the request: the subscription versions of channels, and the reader's account.
 */
export class KnownReadFacts {
  readonly #memory: VersionedMemory<ReadFacts>;

  constructor(
    private readonly realm: Pick<RpcClient<'realm'>, 'getReadFacts'>,
    clock: Clock,
    private readonly leases: Pick<ReaderLeases, 'recall' | 'ask'> = NO_LEASES,
  ) {
    this.#memory = new VersionedMemory(clock, MAX_BYTES);
  }

  /** Without channels: about all of them. Some of the reader's own may come in addition to the named ones. */
  async load(caller: Caller, channels?: ChannelScope): Promise<ReadFacts> {
    const known = this.#recall(caller, channels);
    const lease = known && this.leases.recall(caller);
    if (lease && lease.version === known.version) return withUsersVersion(known.value, lease.usersVersion);
    const question = known && this.leases.ask(caller);
    const facts = await this.realm.getReadFacts(question?.caller ?? caller, {
      ...(channels && { channels }),
      ...(known && { knownVersion: known.version }),
      ...(question && { wantsLease: true }),
    });
    // The question had a copy of its own.
    if (question && caller.credential) caller.credential.isConfirmed = true;
    if (facts.isKnown && known) {
      const { version = known.version, usersVersion, leaseMs } = facts;
      if (leaseMs !== undefined) question?.keep({ version, usersVersion }, leaseMs);
      return withUsersVersion(known.value, usersVersion);
    }
    if (facts.version !== undefined) {
      const scope = channels?.withOwn && areOwn(channels.ids, facts) ? OWN : channels;
      const bytes = FACTS_BYTES + CHANNEL_BYTES * facts.channels.length;
      this.#memory.keep(keyOf(caller, scope), facts.version, facts, bytes);
    }
    return facts;
  }

  /** Most readers ask for one of their own channels after the other: what is known about all of these suffices. */
  #recall(caller: Caller, channels: ChannelScope | undefined) {
    const asked = this.#memory.recall(keyOf(caller, channels));
    if (asked || !channels) return asked;
    const own = this.#memory.recall(keyOf(caller, OWN));
    return own && areOwn(channels.ids, own.value) ? own : undefined;
  }
}

const OWN: ChannelScope = { ids: [], withOwn: true };

function areOwn(ids: readonly number[], { channels }: ReadFacts): boolean {
  const wanted = new Set(ids);
  const found = channels.filter(({ channelId, intervals }) => wanted.has(channelId) && intervals.length > 0);
  return found.length === wanted.size;
}

function withUsersVersion({ usersVersion: _old, ...facts }: ReadFacts, usersVersion: string | undefined): ReadFacts {
  return { ...facts, ...(usersVersion !== undefined && { usersVersion }) };
}

function keyOf({ realmId, userId }: Caller, channels: ChannelScope | undefined): string {
  if (!channels) return `${realmId}/${userId}/all`;
  return `${realmId}/${userId}/${channels.withOwn ? 'own,' : ''}${channels.ids.join()}`;
}
