import { type Sql, statement, type Transaction } from '@parley/shared/db';
import type { Presence } from '@parley/shared/proto';
import { isKnownTo } from '../users/accessible-users.sql';

export interface PresenceRow {
  presence: Presence;
  updateId: number;
}

interface Wanted {
  realmId: number;
  /** Only people whom this one knows are listed, with their addresses; null: everybody is, without. */
  emailsForId: number | null;
}

interface Columns extends Omit<Presence, 'email'> {
  updateId: number;
  email?: string;
}

const TIMES = `coalesce(p.active_at, least(u.created_at, p.connected_at)) as "activeAtMs", p.connected_at as "connectedAtMs"`;

/** SQL for both lists: $2 bounds them; with emails $3 is whom they are for. The latest change comes last. */
const listed = (
  bound: string,
  withEmails: boolean,
) => `select p.user_id as "userId", ${TIMES}, p.update_id as "updateId"
    ${withEmails ? ', u.email' : ''}
  from user_presence p
  join user_account u on u.realm_id = p.realm_id and u.id = p.user_id and u.is_active
  where p.realm_id = $1 and ${bound} ${withEmails ? `and ${isKnownTo('$1', '$3')}` : ''}
  order by p.update_id, p.user_id`;

/** What has changed since that update. */
export function listChangedPresences(sql: Sql, wanted: Wanted, lastUpdateId: number): Promise<PresenceRow[]> {
  return list(sql, wanted, 'p.update_id > $2', lastUpdateId);
}

/** Those who were connected since then. */
export function listRecentPresences(sql: Sql, wanted: Wanted, sinceMs: number): Promise<PresenceRow[]> {
  return list(sql, wanted, 'p.connected_at >= to_timestamp($2 / 1000.0)', sinceMs);
}

async function list(sql: Sql, { realmId, emailsForId }: Wanted, bound: string, value: number): Promise<PresenceRow[]> {
  const rows = await sql.query<Columns>(listed(bound, emailsForId !== null), [
    realmId,
    value,
    ...(emailsForId === null ? [] : [emailsForId]),
  ]);
  return rows.map(({ updateId, ...presence }) => ({ presence, updateId }));
}

/** Null when they never were there. */
export async function findPresence(sql: Sql, realmId: number, userId: number): Promise<Presence | null> {
  const [presence] = await sql.query<Presence>(
    `select p.user_id as "userId", ${TIMES} from user_presence p
     join user_account u on u.realm_id = p.realm_id and u.id = p.user_id
     where p.realm_id = $1 and p.user_id = $2`,
    [realmId, userId],
  );
  return presence ?? null;
}

const STORE = statement(
  'store-presence',
  `with numbered as (
     insert into presence_sequence as n (realm_id, last_id) values ($1, 1)
     on conflict (realm_id) do update set last_id = n.last_id + 1
     returning last_id
   ), stored as (
     insert into user_presence (realm_id, user_id, active_at, connected_at, update_id)
     select $1, $2, to_timestamp($3 / 1000.0), to_timestamp($4 / 1000.0), last_id from numbered
     on conflict (realm_id, user_id) do update
     set active_at = excluded.active_at, connected_at = excluded.connected_at, update_id = excluded.update_id
     returning realm_id, user_id, active_at, connected_at
   )
   select p.user_id as "userId", ${TIMES}, u.email from stored p
   join user_account u on u.realm_id = p.realm_id and u.id = p.user_id`,
);

/** Replaces whatever was known; without a time of activity they count as idle. The answer has their address. */
export async function storePresence(
  tx: Transaction,
  { realmId, userId }: { realmId: number; userId: number },
  { activeAtMs, connectedAtMs }: { activeAtMs: number | null; connectedAtMs: number },
): Promise<Required<Presence>> {
  const [presence] = await tx.query<Required<Presence>>(STORE, [realmId, userId, activeAtMs, connectedAtMs]);
  return presence as Required<Presence>;
}
