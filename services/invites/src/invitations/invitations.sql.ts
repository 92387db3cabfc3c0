import type { Sql } from '@parley/shared/db';

/** What an invitation gives, and until when. */
export interface Grant {
  realmId: number;
  referrerId: number;
  invitedAs: number;
  channelIds: readonly number[];
  groupIds: readonly number[];
  includesDefaultChannels: boolean;
  /** Null: the organization's; empty: none. */
  welcomeText: string | null;
  createdAtMs: number;
  /** Null: for ever. */
  validMinutes: number | null;
}

/** Invites the addresses; returns the invitations in their order. */
export function insertInvitations(
  sql: Sql,
  grant: Grant & { notifiesReferrer: boolean },
  emails: readonly string[],
): Promise<{ id: number; email: string }[]> {
  return sql.query(
    `insert into invitation (realm_id, email, email_key, referrer_id, invited_as, channel_ids, group_ids,
       includes_default_channels, notifies_referrer, welcome_text, created_at, valid_minutes, expires_at)
     select $1, email, lower(email), $2, $3, $4, $5, $6, $7, $8, to_timestamp($9 / 1000.0), $10::bigint,
       to_timestamp($9 / 1000.0) + $10::bigint * interval '1 minute'
     from unnest($11::text[]) with ordinality as invited (email, place) order by place
     returning id, email`,
    [
      grant.realmId,
      grant.referrerId,
      grant.invitedAs,
      grant.channelIds,
      grant.groupIds,
      grant.includesDefaultChannels,
      grant.notifiesReferrer,
      grant.welcomeText,
      grant.createdAtMs,
      grant.validMinutes,
      emails,
    ],
  );
}

export interface OpenInvitation {
  id: number;
  email: string;
  referrerId: number;
  invitedAs: number;
  notifiesReferrer: boolean;
  createdAtMs: number;
  validMinutes: number | null;
  expiresAtMs: number | null;
}

/** Of an invitation that can be accepted at `$2`, in milliseconds. */
const IS_OPEN = `realm_id = $1 and state = 'open' and link_id is null
  and (expires_at is null or expires_at > to_timestamp($2 / 1000.0))`;

const SELECT = `select id, email, referrer_id as "referrerId", invited_as as "invitedAs",
    notifies_referrer as "notifiesReferrer", created_at as "createdAtMs", valid_minutes as "validMinutes",
    expires_at as "expiresAtMs" from invitation where ${IS_OPEN}`;

/** Those that can be accepted, by id; of everybody where the referrer is null. */
export function listOpenInvitations(
  sql: Sql,
  realmId: number,
  nowMs: number,
  referrerId: number | null,
): Promise<OpenInvitation[]> {
  return sql.query(`${SELECT} and ($3::bigint is null or referrer_id = $3) order by id`, [realmId, nowMs, referrerId]);
}

/** The invitation; null when there is none of that id that can be accepted. */
export async function findOpenInvitation(
  sql: Sql,
  realmId: number,
  nowMs: number,
  id: number,
): Promise<OpenInvitation | null> {
  const [invitation] = await sql.query<OpenInvitation>(`${SELECT} and id = $3`, [realmId, nowMs, id]);
  return invitation ?? null;
}

/** Makes an invitation valid for as long as it was at first, from now on. False when it cannot be accepted any more. */
export async function prolongInvitation(sql: Sql, realmId: number, nowMs: number, id: number): Promise<boolean> {
  const rows = await sql.query(
    `update invitation set expires_at = to_timestamp($2 / 1000.0) + valid_minutes * interval '1 minute'
     where ${IS_OPEN} and id = $3 returning id`,
    [realmId, nowMs, id],
  );
  return rows.length > 0;
}

/** Revokes an invitation. False when it cannot be accepted any more. */
export async function revokeOpenInvitation(sql: Sql, realmId: number, nowMs: number, id: number): Promise<boolean> {
  const rows = await sql.query(`update invitation set state = 'revoked' where ${IS_OPEN} and id = $3 returning id`, [
    realmId,
    nowMs,
    id,
  ]);
  return rows.length > 0;
}

/** Revokes what these users, or where that is null all, have invited, be it expired or not; returns the ids. */
export async function revokeInvitationsOf(
  sql: Sql,
  realmId: number,
  referrerIds: readonly number[] | null,
): Promise<number[]> {
  const rows = await sql.query<{ id: number }>(
    `update invitation set state = 'revoked'
     where realm_id = $1 and state = 'open' and ($2::bigint[] is null or referrer_id = any($2)) returning id`,
    [realmId, referrerIds],
  );
  return rows.map(({ id }) => id);
}

/** Holds an inviter until the transaction ends; whether their account was out of use, when that was last heard of. */
export async function lockInviter(sql: Sql, realmId: number, userId: number): Promise<boolean> {
  const [row] = await sql.query<{ isEnded: boolean }>(
    `insert into inviter (realm_id, user_id) values ($1, $2)
     on conflict (realm_id, user_id) do update set user_id = excluded.user_id returning is_ended as "isEnded"`,
    [realmId, userId],
  );
  return (row as { isEnded: boolean }).isEnded;
}

/** The accounts are out of use: waits for what they are inviting, and has them looked at before they invite again. */
export async function endInviters(sql: Sql, realmId: number, userIds: readonly number[]): Promise<void> {
  await sql.query(
    `insert into inviter (realm_id, user_id, is_ended)
     select $1, id, true from (select distinct unnest($2::bigint[]) as id) ended order by id
     on conflict (realm_id, user_id) do update set is_ended = true`,
    [realmId, userIds],
  );
}

/** The account is in use again. */
export async function readmitInviter(sql: Sql, realmId: number, userId: number): Promise<void> {
  await sql.query('update inviter set is_ended = false where realm_id = $1 and user_id = $2', [realmId, userId]);
}

/** How many mails the organization has sent on that day. */
export async function findCount(sql: Sql, realmId: number, day: string): Promise<number> {
  const [row] = await sql.query<{ mails: number }>(
    'select mails from invitation_count where realm_id = $1 and day = $2',
    [realmId, day],
  );
  return row?.mails ?? 0;
}

/** Counts mails, and returns how many there are then; until the transaction ends nobody else's are counted. */
export async function addToCount(sql: Sql, realmId: number, day: string, mails: number): Promise<number> {
  const [row] = await sql.query<{ mails: number }>(
    `insert into invitation_count as counted (realm_id, day, mails) values ($1, $2, $3)
     on conflict (realm_id, day) do update set mails = counted.mails + excluded.mails returning mails`,
    [realmId, day, mails],
  );
  return (row as { mails: number }).mails;
}
