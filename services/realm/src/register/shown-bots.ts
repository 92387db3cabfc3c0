import { VersionedMemory } from '@parley/shared/batch';
import type { Sql } from '@parley/shared/db';
import type { ListVersions, User } from '@parley/shared/proto';
import { isAdministrator, ROLES } from '@parley/shared/values';
import { publicBot } from '@parley/shared/wire';
import { listShownBots } from '../bot-owners/bots.sql';
import type { Context } from '../context';

const MAX_BYTES = 32 * 1024 * 1024;

/** All that bots are made of, as of the snapshot. */
export interface BotVersions extends Pick<ListVersions, 'users' | 'groups' | 'channels'> {
  /** Of the rows of bots alone. */
  bots: string;
}

export type ShownBotsOf = (sql: Sql, manager: User, versions: BotVersions) => Promise<Buffer>;

/**
 * The bots that a user manages, as the API's JSON. Administrators manage hundreds, all of the organization; theirs are cached until anything
 * changes. Other people have few.
 */
export function shownBotsReader({ clock }: Context): ShownBotsOf {
  const memory = new VersionedMemory<Buffer>(clock, MAX_BYTES);
  return async (sql, { id, realmId, role }, { users, groups, channels, bots }) => {
    const load = async () => Buffer.from(JSON.stringify((await listShownBots(sql, realmId, id)).map(publicBot)));
    if (!isAdministrator(role)) return load();
    // Only owners manage bots that are owners.
    const [key, version] = [`${realmId}/${role === ROLES.owner}`, [users, groups, channels, bots].join(' ')];
    const known = memory.recall(key);
    if (known?.version === version) return known.value;
    const shown = await load();
    memory.keep(key, version, shown, shown.length);
    return shown;
  };
}
