import { joined, VersionedMemory } from '@parley/shared/batch';
import type { Sql } from '@parley/shared/db';
import type { Channel } from '@parley/shared/proto';
import { loadChannels } from '../channels/channels.sql';
import type { Context } from '../context';
import { findChannelsVersion } from './versions.sql';

const MAX_BYTES = 128 * 1024 * 1024;
/** What a channel with its settings takes, about. */
const CHANNEL_BYTES = 6 * 1024;

export interface VersionedChannels {
  version: string;
  /** Every one, by id: who may know of it is yet to be judged. */
  channels: readonly Channel[];
}

/** `sql`: where they are to be read as of one moment with other things. */
export type ChannelsOf = (realmId: number, sql?: Sql) => Promise<VersionedChannels>;

/** The channels of organizations, as they are when somebody asks; read again only if anything has changed. */
export function channelReader({ db, clock }: Context): ChannelsOf {
  const memory = new VersionedMemory<VersionedChannels>(clock, MAX_BYTES);
  const read = async (sql: Sql, realmId: number) => {
    const key = String(realmId);
    const version = await findChannelsVersion(sql, realmId);
    const known = memory.recall(key);
    if (known?.version === version) return known.value;
    const found = { version, channels: await loadChannels(sql, realmId) };
    memory.keep(key, version, found, found.channels.length * CHANNEL_BYTES);
    return found;
  };
  const readNow = async (realmId: number) => (await db.readAtOnce((sql) => read(sql, realmId))).result;
  const readJoined = joined(readNow, Number);
  return (realmId, sql) => (sql ? read(sql, realmId) : readJoined(realmId));
}
