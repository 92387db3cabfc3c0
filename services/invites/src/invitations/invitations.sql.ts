import { onlyRow, type Sql, statement, type Transaction } from '@parley/shared/db';
import { z } from 'zod';

/** The terms and validity of an invitation. */
export interface Grant {
  realmId: number;
  referrerId: number;
  invitedAs: number;
  channelIds: readonly number[];
  groupIds: readonly number[];
  includesDefaultChannels: boolean;
  /** Null: the organization's text; empty: none. */
  welcomeText: string | null;
  createdAtMs: number;
  /** Null: unlimited. */
  validMinutes: number | null;
}

/** SQL: a row is unexpired at `$2`, in milliseconds. */
const IS_LISTED = 'realm_id = $1 and (expires_at is null or expires_at > to_timestamp($2 / 1000.0))';
/** SQL: a row is of the referrer `$3`. With "or there is none" in one text PostgreSQL would read the rows of everybody. */
const IS_OF_REFERRER = 'and referrer_id = $3';
const COMMON =
  'id, referrer_id as "referrerId", invited_as as "invitedAs", created_at as "createdAtMs", expires_at as "expiresAtMs"';
const COMMON_SHAPE = {
  ...{ id: z.number(), referrerId: z.number(), invitedAs: z.number() },
  ...{ createdAtMs: z.number(), expiresAtMs: z.number().nullable() },
};

const listingOpen = (condition: string) =>
  statement(
    `select ${COMMON}, email, notifies_referrer as "notifiesReferrer" from invitation
   where ${IS_LISTED} ${condition} and state = 'open' and link_id is null order by id`,
    { ...COMMON_SHAPE, email: z.string(), notifiesReferrer: z.boolean() },
  );
const LIST_OPEN = listingOpen('');
const LIST_OPEN_OF_REFERRER = listingOpen(IS_OF_REFERRER);

/** E-mail invitations that can be accepted, by id; a null referrer selects all users. Thousands would be slow through Prisma. */
export function listOpenInvitations(sql: Sql, realmId: number, nowMs: number, referrerId: number | null) {
  if (referrerId === null) return sql.query(LIST_OPEN, [realmId, nowMs]);
  return sql.query(LIST_OPEN_OF_REFERRER, [realmId, nowMs, referrerId]);
}

const listingOpenLinks = (condition: string) =>
  statement(
    `select ${COMMON} from invitation_link where ${IS_LISTED} ${condition} and not is_revoked order by id`,
    COMMON_SHAPE,
  );
const LIST_OPEN_LINKS = listingOpenLinks('');
const LIST_OPEN_LINKS_OF_REFERRER = listingOpenLinks(IS_OF_REFERRER);

/** Valid links, by id; a null referrer selects all users. */
export function listOpenLinks(sql: Sql, realmId: number, nowMs: number, referrerId: number | null) {
  if (referrerId === null) return sql.query(LIST_OPEN_LINKS, [realmId, nowMs]);
  return sql.query(LIST_OPEN_LINKS_OF_REFERRER, [realmId, nowMs, referrerId]);
}

const INSERT = statement(
  `insert into invitation (realm_id, email, email_key, referrer_id, invited_as, channel_ids, group_ids,
     includes_default_channels, notifies_referrer, welcome_text, created_at, valid_minutes, expires_at)
   select $1, email, lower(email), $2, $3, $4, $5, $6, $7, $8, to_timestamp($9 / 1000.0), $10::bigint,
     to_timestamp($9 / 1000.0) + $10::bigint * interval '1 minute'
   from unnest($11::text[]) with ordinality as invited (email, place) order by place
   returning id, email`,
  { id: z.number(), email: z.string() },
);

/** Stores invitations for the addresses; returns them in order. */
export function insertInvitations(
  sql: Sql,
  grant: Grant & { notifiesReferrer: boolean },
  emails: readonly string[],
): Promise<{ id: number; email: string }[]> {
  return sql.query(INSERT, [
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
  ]);
}

const revoking = (condition: string) =>
  statement(
    `update invitation set state = 'revoked'
   where realm_id = $1 and state = 'open' and ($2::int is null or invited_as < $2) ${condition} returning id`,
    { id: z.number() },
  );
const REVOKE_ALL = revoking('');
const REVOKE_OF = revoking('and referrer_id = any($3::bigint[])');

const LOCK_INVITATION = statement('select from invitation where realm_id = $1 and id = $2 for no key update', {});

/** Locks an invitation until the transaction ends; waits for an attempt to accept it. */
export async function lockInvitation(tx: Transaction, realmId: number, id: number): Promise<void> {
  await tx.query(LOCK_INVITATION, [realmId, id]);
}

export interface Ending {
  realmId: number;
  /** Null: of all users. */
  referrerIds: readonly number[] | null;
  /** Only those that give a higher role than this one; null: all. */
  higherThanRole: number | null;
}

/** Revokes invitations, expired ones included; returns the ids. */
export async function revokeInvitationsOf(
  sql: Sql,
  { realmId, referrerIds, higherThanRole }: Ending,
): Promise<number[]> {
  const rows = referrerIds
    ? await sql.query(REVOKE_OF, [realmId, higherThanRole, referrerIds])
    : await sql.query(REVOKE_ALL, [realmId, higherThanRole]);
  return rows.map(({ id }) => id);
}

const REVOKE_LINKS_OF = statement(
  `update invitation_link set is_revoked = true
   where realm_id = $1 and not is_revoked and ($2::bigint[] is null or referrer_id = any($2))
     and ($3::int is null or invited_as < $3) returning id`,
  { id: z.number() },
);

/** Revokes links; returns the ids. */
export async function revokeLinksOf(sql: Sql, { realmId, referrerIds, higherThanRole }: Ending): Promise<number[]> {
  return (await sql.query(REVOKE_LINKS_OF, [realmId, referrerIds, higherThanRole])).map(({ id }) => id);
}

const LOCK_INVITER = statement(
  `insert into inviter (realm_id, user_id) values ($1, $2)
   on conflict (realm_id, user_id) do update set user_id = excluded.user_id returning is_ended as "isEnded"`,
  { isEnded: z.boolean() },
);

/** Locks an inviter until the transaction ends; true when the account was last known as deactivated. */
export async function lockInviter(sql: Sql, realmId: number, userId: number): Promise<boolean> {
  return onlyRow(await sql.query(LOCK_INVITER, [realmId, userId])).isEnded;
}

const END_INVITERS = statement(
  `insert into inviter (realm_id, user_id, is_ended)
   select $1, id, true from (select distinct unnest($2::bigint[]) as id) ended order by id
   on conflict (realm_id, user_id) do update set is_ended = true`,
);

/** Marks inviters as deactivated, so that they are looked up before they invite again. Waits for transactions in which they invite. */
export async function endInviters(sql: Sql, realmId: number, userIds: readonly number[]): Promise<void> {
  await sql.query(END_INVITERS, [realmId, userIds]);
}

const READMIT_INVITER = statement('update inviter set is_ended = false where realm_id = $1 and user_id = $2');

/** Marks the inviter as active. */
export async function readmitInviter(sql: Sql, realmId: number, userId: number): Promise<void> {
  await sql.query(READMIT_INVITER, [realmId, userId]);
}

const ADD_TO_COUNT = statement(
  `insert into invitation_count as counted (realm_id, day, mails) values ($1, $2, $3)
   on conflict (realm_id, day) do update set mails = counted.mails + excluded.mails returning mails`,
  { mails: z.number() },
);

/** Adds to the day's count of mails and returns it; locks the count until the transaction ends. */
export async function addToCount(sql: Sql, realmId: number, day: string, mails: number): Promise<number> {
  return onlyRow(await sql.query(ADD_TO_COUNT, [realmId, day, mails])).mails;
}
