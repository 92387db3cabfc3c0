import { fewRows, type RowOf, type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';

const COLUMNS = `i.id, i.email, i.referrer_id as "referrerId", i.invited_as as "invitedAs", i.channel_ids as "channelIds",
  i.group_ids as "groupIds", i.includes_default_channels as "includesDefaultChannels",
  i.notifies_referrer as "notifiesReferrer", i.welcome_text as "welcomeText", i.expires_at as "expiresAtMs", i.state`;
const INVITATION = {
  id: z.number(),
  email: z.string(),
  referrerId: z.number(),
  invitedAs: z.number(),
  channelIds: z.array(z.number()),
  groupIds: z.array(z.number()),
  includesDefaultChannels: z.boolean(),
  notifiesReferrer: z.boolean(),
  welcomeText: z.string().nullable(),
  expiresAtMs: z.number().nullable(),
  state: z.enum(['open', 'accepting', 'used', 'revoked']),
};

/**
 * SQL: an invitation that an account can be made of at `$3` (milliseconds). NOTE: an invitation in acceptance is not revoked with its
 * sender's account and may be reopened, so the sender is checked, too.
 */
const CAN_BE_ACCEPTED = `i.state in ('open', 'accepting') and (i.expires_at is null or i.expires_at > to_timestamp($3 / 1000.0))
  and not exists (select 1 from inviter u where u.realm_id = i.realm_id and u.user_id = i.referrer_id and u.is_ended)
  and not exists (select 1 from invitation_link l where l.realm_id = i.realm_id and l.id = i.link_id and l.is_revoked)`;

const FIND_ACCEPTABLE = statement(
  `select ${COLUMNS} from invitation i where i.realm_id = $1 and i.id = $2 and ${CAN_BE_ACCEPTED}`,
  INVITATION,
);

export type AcceptableInvitation = RowOf<typeof FIND_ACCEPTABLE>;

/** The invitation, if it can be accepted. */
export async function findAcceptable(
  sql: Sql,
  realmId: number,
  id: number,
  nowMs: number,
): Promise<AcceptableInvitation | null> {
  const [invitation] = await sql.query(FIND_ACCEPTABLE, [realmId, id, nowMs]);
  return invitation ?? null;
}

const FIND = statement(`select ${COLUMNS} from invitation i where i.realm_id = $1 and i.id = $2`, INVITATION);

/** The invitation in any state. */
export async function findInvitation(sql: Sql, realmId: number, id: number): Promise<AcceptableInvitation | null> {
  const [invitation] = await sql.query(FIND, [realmId, id]);
  return invitation ?? null;
}

const MARK_ACCEPTING = statement(
  `update invitation i set state = 'accepting', accepting_since = to_timestamp($3 / 1000.0)
   where i.realm_id = $1 and i.id = $2 and ${CAN_BE_ACCEPTED} returning i.id`,
  { id: z.number() },
);

/** Marks the invitation as in acceptance. False: it can no longer be accepted. */
export async function markAccepting(sql: Sql, realmId: number, id: number, nowMs: number): Promise<boolean> {
  return (await sql.query(MARK_ACCEPTING, [realmId, id, nowMs])).length > 0;
}

const LOCK_ACCEPTING = statement(
  `select ${COLUMNS} from invitation i where i.realm_id = $1 and i.id = $2 and i.state = 'accepting'
   for no key update`,
  INVITATION,
);

/** Locks an invitation in acceptance until the transaction ends; null: its acceptance has ended. */
export async function lockAccepting(sql: Sql, realmId: number, id: number): Promise<AcceptableInvitation | null> {
  const [invitation] = await sql.query(LOCK_ACCEPTING, [realmId, id]);
  return invitation ?? null;
}

const REOPEN = statement(
  `update invitation set state = 'open', accepting_since = null where realm_id = $1 and id = $2 and state = 'accepting'`,
);

/** Reopens the invitation: no account was made of it. */
export async function reopen(sql: Sql, realmId: number, id: number): Promise<void> {
  await sql.query(REOPEN, [realmId, id]);
}

const REVOKE = statement(
  `update invitation set state = 'revoked', accepting_since = null where realm_id = $1 and id = $2 and state = 'accepting'`,
);

/** Revokes an invitation in acceptance: no account can be made of it. */
export async function revokeAccepting(sql: Sql, realmId: number, id: number): Promise<void> {
  await sql.query(REVOKE, [realmId, id]);
}

const MARK_USED = statement(
  `update invitation set state = 'used', accepting_since = null, account_id = $3 where realm_id = $1 and id = $2`,
);

export async function markUsed(sql: Sql, realmId: number, id: number, accountId: number): Promise<void> {
  await sql.query(MARK_USED, [realmId, id, accountId]);
}

const REVOKE_OTHERS = statement(
  `update invitation set state = 'revoked'
   where realm_id = $1 and id <> $2 and email_key = lower($3) and state in ('open', 'accepting')
   returning id, referrer_id as "referrerId"`,
  { id: z.number(), referrerId: z.number() },
);

/**
 * Revokes the other invitations of the same address; returns their ids and senders. Waits for one in acceptance, so that no second
 * account is made of the address.
 */
export function revokeOthersOf(
  sql: Sql,
  realmId: number,
  { id, email }: { id: number; email: string },
): Promise<{ id: number; referrerId: number }[]> {
  return sql.query(REVOKE_OTHERS, [realmId, id, email]);
}

const LOCK_HALF_ACCEPTED = statement(
  `select realm_id as "realmId", id, email, referrer_id as "referrerId" from invitation
   where state = 'accepting' and accepting_since < to_timestamp($1 / 1000.0)
   order by accepting_since limit $2 for no key update skip locked`,
  { realmId: z.number(), id: z.number(), email: z.string(), referrerId: z.number() },
);

/** Locks invitations whose acceptance began before that time and that no replica works on. */
export function lockHalfAccepted(
  sql: Sql,
  beforeMs: number,
  limit: number,
): Promise<RowOf<typeof LOCK_HALF_ACCEPTED>[]> {
  return sql.query(LOCK_HALF_ACCEPTED, [beforeMs, limit]);
}

const COUNT_ATTEMPT = statement(
  `insert into acceptance_attempt as a (realm_id, subject_hash, attempted_at, expires_at)
   values ($1, $2, array[to_timestamp($3 / 1000.0)], to_timestamp($5 / 1000.0))
   on conflict (realm_id, subject_hash) do update set
     attempted_at = array(select t from unnest(a.attempted_at) t where t > to_timestamp($4 / 1000.0)) || excluded.attempted_at,
     expires_at = excluded.expires_at
   where (select count(*) from unnest(a.attempted_at) t where t > to_timestamp($4 / 1000.0)) < $6
   returning realm_id as "realmId"`,
  { realmId: z.number() },
);

interface Attempt {
  realmId: number;
  /** The hash of the subject of the attempts. */
  subjectHash: Buffer;
  nowMs: number;
}

/** Counts an attempt, unless there were too many within the window. False: the attempt is refused. All replicas share the count. */
export async function countAttempt(
  sql: Sql,
  { realmId, subjectHash, nowMs }: Attempt,
  { maxAttempts, windowMs }: { maxAttempts: number; windowMs: number },
): Promise<boolean> {
  const values = [realmId, subjectHash, nowMs, nowMs - windowMs, nowMs + windowMs, maxAttempts];
  return (await sql.query(COUNT_ATTEMPT, values)).length > 0;
}

const SWEEP_ATTEMPTS = statement(
  `delete from acceptance_attempt a using ${fewRows(
    `select row(realm_id, subject_hash) from acceptance_attempt where expires_at < to_timestamp($1 / 1000.0)
     order by expires_at limit $2 for update skip locked`,
  )} as over (realm_id bigint, subject_hash bytea)
   where a.realm_id = over.realm_id and a.subject_hash = over.subject_hash`,
);

/** Deletes a batch of expired attempts. */
export async function sweepAttempts(sql: Sql, nowMs: number, limit: number): Promise<void> {
  await sql.query(SWEEP_ATTEMPTS, [nowMs, limit]);
}

const INVITE_BY_LINK = statement(
  `insert into invitation as i (realm_id, email, email_key, referrer_id, link_id, invited_as, channel_ids, group_ids,
     includes_default_channels, notifies_referrer, welcome_text, created_at, expires_at)
   select realm_id, $3, lower($3), referrer_id, id, invited_as, channel_ids, group_ids, includes_default_channels, false,
     welcome_text, to_timestamp($4 / 1000.0), least(expires_at, to_timestamp(($4 + $5) / 1000.0))
   from invitation_link
   where realm_id = $1 and id = $2 and not is_revoked and (expires_at is null or expires_at > to_timestamp($4 / 1000.0))
   on conflict (realm_id, link_id, email_key) where link_id is not null and state in ('open', 'accepting')
   do update set expires_at = excluded.expires_at
   returning i.id`,
  { id: z.number() },
);

/**
 * An invitation by a link, for an address that is still to be proved: it grants the link's terms and ends after a day, at the latest with
 * the link. An address with a pending invitation gets the same one again. Null: the link is no longer valid.
 */
export async function inviteByLink(
  sql: Sql,
  realmId: number,
  linkId: number,
  { email, nowMs, validMs }: { email: string; nowMs: number; validMs: number },
): Promise<number | null> {
  const [invitation] = await sql.query(INVITE_BY_LINK, [realmId, linkId, email, nowMs, validMs]);
  return invitation?.id ?? null;
}
