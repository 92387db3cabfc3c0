import { composed, onlyRow, type RowOf, type Sql, statement, type Transaction } from '@parley/shared/db';
import type { Presence } from '@parley/shared/proto';
import { PRESENCE, ROLES } from '@parley/shared/values';
import { z } from 'zod';
import { isKnownTo } from '../accounts/accessible-users.sql';
import { usersVersionOf } from '../list-changes/versions.sql';

export interface PresenceRow {
  presence: Presence;
  updateId: number;
}

interface Wanted {
  realmId: number;
  /** Lists only users visible to this one, with their addresses; 'everybody': all users with addresses; null: all users, without. */
  emailsFor: number | 'everybody' | null;
}

const TIMES = `coalesce(p.active_at, least(u.created_at, p.connected_at)) as "activeAtMs", p.connected_at as "connectedAtMs"`;
const TIMES_SHAPE = { activeAtMs: z.number(), connectedAtMs: z.number() };

const LISTED = { userId: z.number(), ...TIMES_SHAPE, updateId: z.number() };

/** The lists without and with addresses: $2 is the bound, $3 a reader who may not see all users. Ordered by change, latest last. */
const listing = (declare: typeof statement, bound: string) => {
  const select = (column: string, condition: string) =>
    `select p.user_id as "userId", ${TIMES}, p.update_id as "updateId"${column}
     from user_presence p
     join user_account u on u.realm_id = p.realm_id and u.id = p.user_id and u.is_active
     where p.realm_id = $1 and ${bound}${condition}
     order by p.update_id, p.user_id`;
  const withEmails = { ...LISTED, email: z.string() };
  return {
    ofAll: declare(select('', ''), LISTED),
    ofAllWithEmails: declare(select(', u.email', ''), withEmails),
    // Planning the condition takes several times as long as the rest.
    ofKnown: composed(select(', u.email', ` and ${isKnownTo('$1', '$3')}`), withEmails),
  };
};
// NOTE: planned for each call, as the bound decides between a look-up and a scan. The recent ones, of weeks, are mostly many.
const CHANGED = listing(composed, 'p.update_id > $2');
const RECENT = listing(statement, 'p.connected_at >= to_timestamp($2::bigint / 1000.0)');

/** Presences changed after that update. */
export function listChangedPresences(sql: Sql, wanted: Wanted, lastUpdateId: number): Promise<PresenceRow[]> {
  return list(sql, wanted, CHANGED, lastUpdateId);
}

/** Presences of users who were connected since then. */
export function listRecentPresences(sql: Sql, wanted: Wanted, sinceMs: number): Promise<PresenceRow[]> {
  return list(sql, wanted, RECENT, sinceMs);
}

async function list(
  sql: Sql,
  { realmId, emailsFor }: Wanted,
  { ofAll, ofAllWithEmails, ofKnown }: typeof CHANGED,
  bound: number,
): Promise<PresenceRow[]> {
  const rows: (Presence & { updateId: number })[] = await (typeof emailsFor === 'number'
    ? sql.query(ofKnown, [realmId, bound, emailsFor])
    : sql.query(emailsFor === null ? ofAll : ofAllWithEmails, [realmId, bound]));
  return rows.map(({ updateId, ...presence }) => ({ presence, updateId }));
}

const PRESENCE_VIEWER = { isGuest: z.boolean(), usersVersion: z.string() };

/** `usersVersion`: see ListVersions. */
export type PresenceViewer = z.infer<z.ZodObject<typeof PRESENCE_VIEWER>>;

const FIND_VIEWER = statement(
  `select u.role = ${ROLES.guest} as "isGuest", ${usersVersionOf()} as "usersVersion"
   from user_account u where u.realm_id = $1 and u.id = $2`,
  PRESENCE_VIEWER,
);

export async function findPresenceViewer(
  sql: Sql,
  { realmId, userId }: { realmId: number; userId: number },
): Promise<PresenceViewer> {
  return onlyRow(await sql.query(FIND_VIEWER, [realmId, userId]));
}

const FIND = statement(
  `select p.user_id as "userId", ${TIMES} from user_presence p
   join user_account u on u.realm_id = p.realm_id and u.id = p.user_id
   where p.realm_id = $1 and p.user_id = $2`,
  { userId: z.number(), ...TIMES_SHAPE },
);

/** Null when the user was never present. */
export async function findPresence(sql: Sql, realmId: number, userId: number): Promise<Presence | null> {
  const [presence] = await sql.query(FIND, [realmId, userId]);
  return presence ?? null;
}

const STORE = statement(
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
  { userId: z.number(), ...TIMES_SHAPE, email: z.string() },
);

/** Stores presence times; without a time of activity the user counts as idle. Returns them with the address. */
export async function storePresence(
  tx: Transaction,
  { realmId, userId }: { realmId: number; userId: number },
  { activeAtMs, connectedAtMs }: { activeAtMs: number | null; connectedAtMs: number },
): Promise<Required<Presence>> {
  return onlyRow(await tx.query(STORE, [realmId, userId, activeAtMs, connectedAtMs]));
}

/** A report that the user is present. */
export interface PresenceReport {
  realmId: number;
  userId: number;
  isActive: boolean;
}

/** After a longer pause the user comes online again; clients report slightly less often than required. */
const AWAY_SECS = PRESENCE.offlineThresholdSecs - PRESENCE.pingIntervalSecs - 10;

const NOW = 'to_timestamp($4 / 1000.0)';
const before = (secs: number) => `${NOW} - interval '${secs} seconds'`;
const isActivityNew = (secs: number) => `(k.is_active and coalesce(k.active_at < ${before(secs)}, true))`;

const STORE_REPORTS = statement(
  `with reported as (
     select realm_id, user_id, bool_or(is_active) as is_active
     from unnest($1::bigint[], $2::bigint[], $3::boolean[]) as r (realm_id, user_id, is_active)
     group by realm_id, user_id
   ), known as (
     select r.realm_id, r.user_id, r.is_active, u.is_bot, u.email, u.created_at, p.active_at, p.connected_at, p.update_id,
       not u.is_bot and not exists (select from user_settings s
         where s.realm_id = r.realm_id and s.user_id = r.user_id and s.chosen @> '{"presence_enabled": false}') as is_shown
     from reported r
     join user_account u on u.realm_id = r.realm_id and u.id = r.user_id
     left join user_presence p on p.realm_id = r.realm_id and p.user_id = r.user_id
   ), judged as (
     select k.*, k.is_shown and (k.connected_at is null or ${isActivityNew(AWAY_SECS)}) as has_come,
       ${isActivityNew(PRESENCE.updateDistanceSecs)} as is_activity_new,
       coalesce(k.connected_at < ${before(PRESENCE.updateDistanceSecs)}, true) as is_connection_new
     from known k
   ), due as (
     select j.* from judged j where j.is_shown and (j.is_activity_new or j.is_connection_new)
   ), numbered as (
     insert into presence_sequence as n (realm_id, last_id) select distinct realm_id, 1 from due order by realm_id
     on conflict (realm_id) do update set last_id = n.last_id + 1
     returning realm_id, last_id
   ), stored as (
     insert into user_presence as p (realm_id, user_id, active_at, connected_at, update_id)
     select d.realm_id, d.user_id, case when d.is_activity_new then ${NOW} end, ${NOW}, n.last_id
     from due d join numbered n on n.realm_id = d.realm_id
     on conflict (realm_id, user_id) do update set active_at = greatest(p.active_at, excluded.active_at),
       connected_at = greatest(p.connected_at, excluded.connected_at), update_id = excluded.update_id
     -- A change in between to a long past time hides the user.
     where p.connected_at > ${before(PRESENCE.offlineThresholdSecs)}
       or (p.realm_id, p.update_id) in (select k.realm_id, k.update_id from known k)
     returning realm_id, user_id
   )
   select j.realm_id as "realmId", j.user_id as "userId", j.is_bot as "isBot", j.email,
     case when j.has_come and s.user_id is not null then (select count(*) from (select from user_account a
       where a.realm_id = j.realm_id and a.is_active and a.system_bot is null limit ${PRESENCE.maxAnnouncedUsers + 1}) several
     ) <= ${PRESENCE.maxAnnouncedUsers} else false end as "isAnnounced",
     coalesce(case when j.is_activity_new then ${NOW} else j.active_at end, least(j.created_at, ${NOW})) as "activeAtMs",
     ${NOW} as "connectedAtMs", pg_current_xact_id_if_assigned()::text::bigint as "transactionId"
   from judged j left join stored s on s.realm_id = j.realm_id and s.user_id = j.user_id`,
  {
    realmId: z.number(),
    userId: z.number(),
    isBot: z.boolean(),
    email: z.string(),
    // Whether the user comes online in a small organization: announced to all.
    isAnnounced: z.boolean(),
    // The present times of a user who comes online.
    ...TIMES_SHAPE,
    // The transaction that stored the report, if it was stored.
    transactionId: z.number().nullable(),
  },
);

/** The outcome of a report. */
export type StoredReport = RowOf<typeof STORE_REPORTS>;

/** Stores reports: at most about one a minute for each account, and none for users who hide it; returns one row for each account. */
export function storePresenceReports(
  sql: Sql,
  reports: readonly PresenceReport[],
  nowMs: number,
): Promise<StoredReport[]> {
  return sql.query(STORE_REPORTS, [
    reports.map(({ realmId }) => realmId),
    reports.map(({ userId }) => userId),
    reports.map(({ isActive }) => isActive),
    nowMs,
  ]);
}
