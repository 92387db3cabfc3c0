import { VersionedMemory } from '@parley/shared/batch';
import type { ChannelScope, ReadFacts } from '@parley/shared/proto';
import type { Caller, RpcClient } from '@parley/shared/rpc';
import type { Clock } from '@parley/shared/values';

const MAX_BYTES = 64 * 1024 * 1024;
/** Approximate sizes: of the organization with its settings, and of each channel. */
const [FACTS_BYTES, CHANNEL_BYTES] = [4096, 512];

/**
 * Realm's facts about readers: cached by their version, which realm checks with each request, along with the credential. So a lost right
 * counts from the next request on. Two things may be older than the request: the subscription versions of channels, and the reader's account.
 */
export class KnownReadFacts {
  readonly #memory: VersionedMemory<ReadFacts>;

  constructor(
    private readonly realm: Pick<RpcClient<'realm'>, 'getReadFacts'>,
    clock: Clock,
  ) {
    this.#memory = new VersionedMemory(clock, MAX_BYTES);
  }

  /** Without channels: about all of them. */
  async load(caller: Caller, channels?: ChannelScope): Promise<ReadFacts> {
    const key = keyOf(caller, channels);
    const known = this.#memory.recall(key);
    const facts = await this.realm.getReadFacts(caller, {
      ...(channels && { channels }),
      ...(known && { knownVersion: known.version }),
    });
    if (facts.isKnown && known) return withUsersVersion(known.value, facts.usersVersion);
    if (facts.version !== undefined) {
      this.#memory.keep(key, facts.version, facts, FACTS_BYTES + CHANNEL_BYTES * facts.channels.length);
    }
    return facts;
  }
}

function withUsersVersion({ usersVersion: _old, ...facts }: ReadFacts, usersVersion: string | undefined): ReadFacts {
  return { ...facts, ...(usersVersion !== undefined && { usersVersion }) };
}

function keyOf({ realmId, userId }: Caller, channels: ChannelScope | undefined): string {
  if (!channels) return `${realmId}/${userId}/all`;
  return `${realmId}/${userId}/${channels.withOwn ? 'own,' : ''}${channels.ids.join()}`;
}
