import { onlyRow, type RealmTable, type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';

/** Everything that belongs to an organization; each table before those that it refers to. */
export const TABLES: readonly RealmTable[] = [
  { table: 'mail_job' },
  { table: 'invitation_key' },
  { table: 'invitation' },
  { table: 'invitation_link' },
  { table: 'invitation_count' },
  { table: 'inviter' },
  { table: 'request_key' },
  { table: 'acceptance_attempt' },
];

const DELETE_INVITATIONS = statement(
  `with over as (
     select realm_id, id from invitation
     where coalesce(expires_at, created_at) < to_timestamp($1 / 1000.0) and state <> 'accepting'
       and (expires_at is not null or state <> 'open')
     limit $2 for update skip locked
   ), no_keys as (
     delete from invitation_key k using over o where k.realm_id = o.realm_id and k.invitation_id = o.id
   ), no_mails as (
     delete from mail_job m using over o where m.realm_id = o.realm_id and m.invitation_id = o.id
   ), deleted as (
     delete from invitation i using over o where i.realm_id = o.realm_id and i.id = o.id returning i.id
   ) select count(*) as count from deleted`,
  { count: z.number() },
);

/**
 * Deletes at most `limit` invitations that ended before a time; returns their number. The time of a use or revocation is not stored:
 * those count as ended at their regular end or, without one, at their creation. An invitation in acceptance stays.
 */
export async function deleteEndedInvitations(sql: Sql, beforeMs: number, limit: number): Promise<number> {
  return onlyRow(await sql.query(DELETE_INVITATIONS, [beforeMs, limit])).count;
}

const DELETE_LINKS = statement(
  `with over as (
     select realm_id, id from invitation_link l
     where coalesce(expires_at, created_at) < to_timestamp($1 / 1000.0) and (expires_at is not null or is_revoked)
       and not exists (
         select from invitation i
         where i.realm_id = l.realm_id and i.link_id = l.id and i.state in ('open', 'accepting'))
     limit $2 for update skip locked
   ), no_keys as (
     delete from invitation_key k using over o where k.realm_id = o.realm_id and k.link_id = o.id
   ), deleted as (
     delete from invitation_link l using over o where l.realm_id = o.realm_id and l.id = o.id returning l.id
   ) select count(*) as count from deleted`,
  { count: z.number() },
);

/** The same for reusable links. A link stays while one of its invitations is open, as the invitation ends with the link. */
export async function deleteEndedLinks(sql: Sql, beforeMs: number, limit: number): Promise<number> {
  return onlyRow(await sql.query(DELETE_LINKS, [beforeMs, limit])).count;
}
