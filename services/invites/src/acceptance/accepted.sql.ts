import type { Sql } from '@parley/shared/db';

/** What a key is of. */
export interface KeySubject {
  /** Exactly one of them is not null. */
  invitationId: number | null;
  linkId: number | null;
}

/** What the key of that hash is of, be it still good or not; null when the organization has no such key. */
export async function findKeySubject(sql: Sql, realmId: number, keyHash: Buffer): Promise<KeySubject | null> {
  const [subject] = await sql.query<KeySubject>(
    `select invitation_id as "invitationId", link_id as "linkId" from invitation_key where realm_id = $1 and key_hash = $2`,
    [realmId, keyHash],
  );
  return subject ?? null;
}

type InvitationState = 'open' | 'accepting' | 'used' | 'revoked';

/** An invitation as far as accepting it goes. */
export interface AcceptableInvitation {
  id: number;
  email: string;
  referrerId: number;
  invitedAs: number;
  channelIds: number[];
  groupIds: number[];
  includesDefaultChannels: boolean;
  notifiesReferrer: boolean;
  welcomeText: string | null;
  expiresAtMs: number | null;
  state: InvitationState;
}

const COLUMNS = `i.id, i.email, i.referrer_id as "referrerId", i.invited_as as "invitedAs", i.channel_ids as "channelIds",
  i.group_ids as "groupIds", i.includes_default_channels as "includesDefaultChannels",
  i.notifies_referrer as "notifiesReferrer", i.welcome_text as "welcomeText", i.expires_at as "expiresAtMs", i.state`;

/**
 * Of an invitation that an account may be made of at `$3`, in milliseconds. NOTE: one that is being accepted is not revoked with its
 * sender's account, and may be open again afterwards: so the sender is looked at, too.
 */
const CAN_BE_ACCEPTED = `i.state in ('open', 'accepting') and (i.expires_at is null or i.expires_at > to_timestamp($3 / 1000.0))
  and not exists (select 1 from inviter u where u.realm_id = i.realm_id and u.user_id = i.referrer_id and u.is_ended)
  and not exists (select 1 from invitation_link l where l.realm_id = i.realm_id and l.id = i.link_id and l.is_revoked)`;

/** The invitation, if it can be accepted. */
export async function findAcceptable(
  sql: Sql,
  realmId: number,
  id: number,
  nowMs: number,
): Promise<AcceptableInvitation | null> {
  const [invitation] = await sql.query<AcceptableInvitation>(
    `select ${COLUMNS} from invitation i where i.realm_id = $1 and i.id = $2 and ${CAN_BE_ACCEPTED}`,
    [realmId, id, nowMs],
  );
  return invitation ?? null;
}

/** The invitation, whatever has become of it. */
export async function findInvitation(sql: Sql, realmId: number, id: number): Promise<AcceptableInvitation | null> {
  const [invitation] = await sql.query<AcceptableInvitation>(
    `select ${COLUMNS} from invitation i where i.realm_id = $1 and i.id = $2`,
    [realmId, id],
  );
  return invitation ?? null;
}

/** Notes that an account is about to be made of the invitation. False: it cannot be accepted any more. */
export async function markAccepting(sql: Sql, realmId: number, id: number, nowMs: number): Promise<boolean> {
  const rows = await sql.query(
    `update invitation i set state = 'accepting', accepting_since = to_timestamp($3 / 1000.0)
     where i.realm_id = $1 and i.id = $2 and ${CAN_BE_ACCEPTED} returning i.id`,
    [realmId, id, nowMs],
  );
  return rows.length > 0;
}

/** Holds an invitation that is being accepted until the transaction ends; null: it is not being accepted any more. */
export async function lockAccepting(sql: Sql, realmId: number, id: number): Promise<AcceptableInvitation | null> {
  const [invitation] = await sql.query<AcceptableInvitation>(
    `select ${COLUMNS} from invitation i where i.realm_id = $1 and i.id = $2 and i.state = 'accepting'
     for no key update`,
    [realmId, id],
  );
  return invitation ?? null;
}

/** No account was made of the invitation: it can be accepted another time. */
export async function reopen(sql: Sql, realmId: number, id: number): Promise<void> {
  await sql.query(
    `update invitation set state = 'open', accepting_since = null where realm_id = $1 and id = $2 and state = 'accepting'`,
    [realmId, id],
  );
}

/** The account was made. */
export async function markUsed(sql: Sql, realmId: number, id: number, accountId: number): Promise<void> {
  await sql.query(
    `update invitation set state = 'used', accepting_since = null, account_id = $3 where realm_id = $1 and id = $2`,
    [realmId, id, accountId],
  );
}

/**
 * Revokes what else there is for the address of an invitation; returns which, and who had sent them. What is just being accepted is
 * waited for: no second account is made of that address.
 */
export function revokeOthersOf(
  sql: Sql,
  realmId: number,
  { id, email }: { id: number; email: string },
): Promise<{ id: number; referrerId: number }[]> {
  return sql.query(
    `update invitation set state = 'revoked'
     where realm_id = $1 and id <> $2 and email_key = lower($3) and state in ('open', 'accepting')
     returning id, referrer_id as "referrerId"`,
    [realmId, id, email],
  );
}

/** Invitations on which work has begun before that and on which nobody works, held until the transaction ends. */
export function lockHalfAccepted(
  sql: Sql,
  beforeMs: number,
  limit: number,
): Promise<{ realmId: number; id: number; email: string; referrerId: number }[]> {
  return sql.query(
    `select realm_id as "realmId", id, email, referrer_id as "referrerId" from invitation
     where state = 'accepting' and accepting_since < to_timestamp($1 / 1000.0)
     order by accepting_since limit $2 for no key update skip locked`,
    [beforeMs, limit],
  );
}

interface Attempt {
  realmId: number;
  /** Of what is tried. */
  subjectHash: Buffer;
  nowMs: number;
}

/** Counts an attempt, unless there were too many within the window. False: it may not be made. All replicas count together. */
export async function countAttempt(
  sql: Sql,
  { realmId, subjectHash, nowMs }: Attempt,
  { maxAttempts, windowMs }: { maxAttempts: number; windowMs: number },
): Promise<boolean> {
  const rows = await sql.query(
    `insert into acceptance_attempt as a (realm_id, subject_hash, attempted_at, expires_at)
     values ($1, $2, array[to_timestamp($3 / 1000.0)], to_timestamp($5 / 1000.0))
     on conflict (realm_id, subject_hash) do update set
       attempted_at = array(select t from unnest(a.attempted_at) t where t > to_timestamp($4 / 1000.0)) || excluded.attempted_at,
       expires_at = excluded.expires_at
     where (select count(*) from unnest(a.attempted_at) t where t > to_timestamp($4 / 1000.0)) < $6
     returning 1`,
    [realmId, subjectHash, nowMs, nowMs - windowMs, nowMs + windowMs, maxAttempts],
  );
  return rows.length > 0;
}

/** Forgets attempts that count no more, so many at a time. */
export async function sweepAttempts(sql: Sql, nowMs: number, limit: number): Promise<void> {
  await sql.query(
    `delete from acceptance_attempt where (realm_id, subject_hash) in (
       select realm_id, subject_hash from acceptance_attempt where expires_at < to_timestamp($1 / 1000.0)
       limit $2 for update skip locked)`,
    [nowMs, limit],
  );
}

/** A reusable link that can be used. */
interface OpenLink {
  id: number;
  referrerId: number;
  invitedAs: number;
  expiresAtMs: number | null;
}

/** The link, if it can be used at that time. */
export async function findOpenLink(sql: Sql, realmId: number, id: number, nowMs: number): Promise<OpenLink | null> {
  const [link] = await sql.query<OpenLink>(
    `select id, referrer_id as "referrerId", invited_as as "invitedAs", expires_at as "expiresAtMs" from invitation_link
     where realm_id = $1 and id = $2 and not is_revoked and (expires_at is null or expires_at > to_timestamp($3 / 1000.0))`,
    [realmId, id, nowMs],
  );
  return link ?? null;
}

/**
 * An invitation by a link, for an address that is to be proved: what the link gives, for a day, and no longer than the link holds.
 * The same one again for an address that is waiting already. Null: the link cannot be used any more.
 */
export async function inviteByLink(
  sql: Sql,
  realmId: number,
  linkId: number,
  { email, nowMs, validMs }: { email: string; nowMs: number; validMs: number },
): Promise<number | null> {
  const [invitation] = await sql.query<{ id: number }>(
    `insert into invitation as i (realm_id, email, email_key, referrer_id, link_id, invited_as, channel_ids, group_ids,
       includes_default_channels, notifies_referrer, welcome_text, created_at, expires_at)
     select realm_id, $3, lower($3), referrer_id, id, invited_as, channel_ids, group_ids, includes_default_channels, false,
       welcome_text, to_timestamp($4 / 1000.0), least(expires_at, to_timestamp(($4 + $5) / 1000.0))
     from invitation_link
     where realm_id = $1 and id = $2 and not is_revoked and (expires_at is null or expires_at > to_timestamp($4 / 1000.0))
     on conflict (realm_id, link_id, email_key) where link_id is not null and state in ('open', 'accepting')
     do update set expires_at = excluded.expires_at
     returning i.id`,
    [realmId, linkId, email, nowMs, validMs],
  );
  return invitation?.id ?? null;
}
