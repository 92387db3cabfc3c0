import { composed, onlyRow, type RowOf, type Sql, statement, type Transaction } from '@parley/shared/db';
import { ROLES } from '@parley/shared/values';
import { z } from 'zod';
import { USER, USER_JSON } from './users.sql';

/** SQL: whether guests see bots and the users they meet only. */
export const areGuestsRestricted = (realmId: string) => `(select exists (
  select 1 from realm_group_setting s join user_group g on g.realm_id = s.realm_id and g.id = s.group_id
  where s.realm_id = ${realmId} and s.name = 'can_access_all_users_group' and g.name = 'role:members'))`;

/** SQL: whether the user is such a restricted guest. */
export const isRestricted = (
  realmId: string,
  userId: string,
) => `(select v.role = ${ROLES.guest} and ${areGuestsRestricted(realmId)}
  from user_account v where v.realm_id = ${realmId} and v.id = ${userId})`;

/** SQL: ids of the users visible to a guest: active subscribers of their channels, and users with direct messages to or from them. */
const metBy = (realmId: string, guestId: string) => `(
  select theirs.user_id from subscription mine
  join subscription theirs on theirs.realm_id = mine.realm_id and theirs.channel_id = mine.channel_id and theirs.is_active
  join user_account peer on peer.realm_id = theirs.realm_id and peer.id = theirs.user_id and peer.is_active
  where mine.realm_id = ${realmId} and mine.user_id = ${guestId} and mine.is_active
  union
  select d.contact_id from direct_contact d where d.realm_id = ${realmId} and d.user_id = ${guestId})`;

/** SQL over a row of `user_account` called `u`: whether the viewer may see the user. */
export const isKnownTo = (realmId: string, viewerId: string) => `(not coalesce(${isRestricted(realmId, viewerId)}, true)
  or u.is_bot or u.id = ${viewerId} or u.id in ${metBy(realmId, viewerId)})`;

const HAS_RESTRICTED_GUESTS = statement(`select ${areGuestsRestricted('$1')} as "isSo"`, { isSo: z.boolean() });

/** Whether guests see bots and the users they meet only. */
export async function hasRestrictedGuests(sql: Sql, realmId: number): Promise<boolean> {
  return onlyRow(await sql.query(HAS_RESTRICTED_GUESTS, [realmId])).isSo;
}

const LIST_ACTIVE_GUEST_IDS = statement(
  `select id from user_account where realm_id = $1 and role = ${ROLES.guest} and is_active order by id`,
  { id: z.number() },
);

/** Ids of the active guests, restricted or not, including bots with that role. */
export async function listActiveGuestIds(sql: Sql, realmId: number): Promise<number[]> {
  const rows = await sql.query(LIST_ACTIVE_GUEST_IDS, [realmId]);
  return rows.map(({ id }) => id);
}

const listSeen = (ids: string) =>
  statement(
    `select ${USER_JSON} as user, ${isKnownTo('$1', '$2')} as "isKnown" from user_account u
     where u.realm_id = $1 ${ids} order by u.id`,
    { user: USER, isKnown: z.boolean() },
  );
const LIST_SEEN = listSeen('');
const LIST_SEEN_BY_IDS = listSeen('and u.id = any($3)');

export type SeenUser = RowOf<typeof LIST_SEEN>;

/** Accounts of the organization (all, or those of the ids), by id, and whether the viewer may see each. */
export function listSeenUsers(
  sql: Sql,
  realmId: number,
  viewerId: number,
  userIds: readonly number[] | null,
): Promise<SeenUser[]> {
  if (!userIds) return sql.query(LIST_SEEN, [realmId, viewerId]);
  return sql.query(LIST_SEEN_BY_IDS, [realmId, viewerId, userIds]);
}

const lockingVisibility = (lock: string) =>
  statement(
    `select ${lock}(hashtextextended('whom guests see ' || $1::bigint, 0)) as locked where ${areGuestsRestricted('$1')}`,
    { locked: z.literal('') },
  );
const HOLD_GUEST_VISIBILITY = lockingVisibility('pg_advisory_xact_lock');
const SHARE_GUEST_VISIBILITY = lockingVisibility('pg_advisory_xact_lock_shared');

/**
 * Returns whether guests are restricted; if so, no other transaction changes whom they see until this one ends. Called after locking the rows
 * of channels.
 */
export async function holdGuestVisibility(tx: Transaction, realmId: number): Promise<boolean> {
  return (await tx.query(HOLD_GUEST_VISIBILITY, [realmId])).length > 0;
}

/** The same, for transactions that do not change it themselves: they do not wait for one another. Called after locking accounts, too. */
export async function shareGuestVisibility(tx: Transaction, realmId: number): Promise<boolean> {
  return (await tx.query(SHARE_GUEST_VISIBILITY, [realmId])).length > 0;
}

// NOTE: statements with it are planned for each call: the plan depends on the number of users. `met`: pairs of the restricted guests and the
// users whom they meet, found by the guests' own subscriptions. Compared pair by pair, or with all whom a guest meets, it would take seconds.
const met = (which: string) => `guest (id) as (
     select g.id from user_account g
     where g.realm_id = $1 and g.role = ${ROLES.guest} and g.is_active and ${areGuestsRestricted('$1')} ${which}
   ), asked (channel_id, user_id) as (
     select s.channel_id, s.user_id from user_account u
     join subscription s on s.realm_id = $1 and s.user_id = u.id and s.is_active
     where u.realm_id = $1 and u.id = any($2) and u.is_active
   ), met (guest_id, user_id) as (
     select guest.id, asked.user_id from guest cross join lateral (
       select s.channel_id from subscription s where s.realm_id = $1 and s.user_id = guest.id and s.is_active
         and s.channel_id = any(array(select distinct channel_id from asked)) offset 0) mine
     join asked on asked.channel_id = mine.channel_id
     union
     select guest.id, contact.id from guest cross join lateral (
       select d.contact_id from direct_contact d
       where d.realm_id = $1 and d.user_id = guest.id and d.contact_id = any($2) offset 0) contact (id)
   )`;

const IN_CHANNELS =
  '(select s.user_id from subscription s where s.realm_id = $1 and s.channel_id = any($3) and s.is_active)';

/** Other guests than the users. */
const ELSEWHERE = `and g.id <> all($2) and ($3::bigint[] is null or g.id in ${IN_CHANNELS})`;

// Guests among the users are read one by one: as pairs, all whom they meet would be sorted together. `theirs` has the subscribers of each channel as a
// list, without accounts: just after an import PostgreSQL has no statistics, and would go through all accounts once for each guest.
const LIST_MEETINGS = composed(
  `with ${met(ELSEWHERE)}, compared (id, is_active) as materialized (
     select u.id, u.is_active from user_account u
     where u.realm_id = $1 and not u.is_bot and ($3::bigint[] is null or u.id = any($2) or u.id in ${IN_CHANNELS})
   ), named_guest (id) as materialized (
     select g.id from user_account g
     where g.realm_id = $1 and g.role = ${ROLES.guest} and g.is_active and g.id = any($2) and ${areGuestsRestricted('$1')}
   ), theirs (channel_id, user_ids) as materialized (
     select s.channel_id, array_agg(s.user_id) from subscription s
     where s.realm_id = $1 and s.is_active and (s.user_id in (select id from compared where is_active)) is true
       and s.channel_id = any(array(
         select distinct mine.channel_id from named_guest g cross join lateral (
           select channel_id from subscription where realm_id = $1 and user_id = g.id and is_active offset 0) mine))
     group by s.channel_id
   ), whole (guest_id, user_ids) as materialized (
     select g.id, array(
       select peer.id from subscription mine
       join theirs on theirs.channel_id = mine.channel_id
       cross join lateral unnest(theirs.user_ids) as peer (id)
       where mine.realm_id = $1 and mine.user_id = g.id and mine.is_active and peer.id <> g.id
       union
       select d.contact_id from direct_contact d
       where d.realm_id = $1 and d.user_id = g.id and d.contact_id <> g.id and (d.contact_id in (select id from compared)) is true
       order by 1)
     from named_guest g
   )
   select guest_id as "guestId", user_ids as "userIds" from whole where user_ids <> '{}'
   union all
   select met.guest_id, array_agg(u.id order by u.id) from met
   join user_account u on u.realm_id = $1 and u.id = met.user_id and not u.is_bot and u.id <> met.guest_id
   group by met.guest_id order by 1`,
  { guestId: z.number(), userIds: z.array(z.number()) },
);

/**
 * By restricted guest, whom of the users they meet, and of guests who are among these, all whom they meet; without bots, which everybody sees.
 * Unless the channels are null, only their subscribers and the users are compared.
 */
export async function listMeetings(
  sql: Sql,
  realmId: number,
  userIds: readonly number[],
  channelIds: readonly number[] | null = null,
): Promise<Map<number, number[]>> {
  const rows = await sql.query(LIST_MEETINGS, [realmId, userIds, channelIds]);
  return new Map(rows.map((row) => [row.guestId, row.userIds]));
}

const LIST_STRANGERS = composed(
  `with ${met('')}
   select user_id as "userId", array_agg(guest_id order by guest_id) as "guestIds" from (
     select u.id as user_id, guest.id as guest_id from guest
     join user_account u on u.realm_id = $1 and u.id = any($2) and not u.is_bot and u.id <> guest.id
     except
     select user_id, guest_id from met
   ) stranger group by user_id`,
  { userId: z.number(), guestIds: z.array(z.number()) },
);

/** The restricted guests who cannot see each of the users; users visible to all are left out. */
export function listStrangers(
  sql: Sql,
  realmId: number,
  userIds: readonly number[],
): Promise<RowOf<typeof LIST_STRANGERS>[]> {
  return sql.query(LIST_STRANGERS, [realmId, userIds]);
}
