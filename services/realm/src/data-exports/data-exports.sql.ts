import { type Sql, statement, type Transaction } from '@parley/shared/db';
import {
  type ClaimedDataExport,
  type DataExport,
  type DoomedDataExport,
  type ExportConsent,
  messageShape,
} from '@parley/shared/proto';
import { z } from 'zod';

const FILE_NAME = 'export.tar.gz';

/** SQL: every attempt has its own path, so that an abandoned one disturbs no other. */
const PATH = `e.path_id || '/' || e.attempts || '/${FILE_NAME}'`;

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::bigint`;

const EXPORT_JSON = `json_strip_nulls(json_build_object('id', e.id, 'actingUserId', e.acting_user_id, 'kind', e.kind,
  'createdAtMs', ${ms('e.created_at')}, 'deletedAtMs', ${ms('e.deleted_at')}, 'failedAtMs', ${ms('e.failed_at')},
  'path', case when e.completed_at is not null and e.deleted_at is null then ${PATH} end, 'size', coalesce(e.size, 0),
  'isPending', e.completed_at is null and e.failed_at is null and e.deleted_at is null))`;

const LIST = statement(`select ${EXPORT_JSON} as export from data_export e where realm_id = $1 order by id`, {
  export: messageShape<DataExport>('realm', 'DataExport'),
});

export async function selectDataExports(sql: Sql, realmId: number): Promise<DataExport[]> {
  const rows = await sql.query(LIST, [realmId]);
  return rows.map((row) => row.export);
}

const HAS_CONSENTED = `exists (select from user_settings s
  where s.realm_id = u.realm_id and s.user_id = u.id and s.chosen @> '{"allow_private_data_export": true}')`;

const LIST_CONSENTS = statement(
  `select u.id as "userId", ${HAS_CONSENTED} as "hasConsented" from user_account u
   where u.realm_id = $1 and u.is_active and not u.is_bot order by u.id`,
  { userId: z.number(), hasConsented: z.boolean() },
);

/** Consents of active people, by id. */
export function listExportConsents(sql: Sql, realmId: number): Promise<ExportConsent[]> {
  return sql.query(LIST_CONSENTS, [realmId]);
}

const IS_PENDING = 'e.completed_at is null and e.failed_at is null and e.deleted_at is null';

const FAIL_WORN_OUT = statement(
  `update data_export e set failed_at = to_timestamp($2 / 1000.0)
   where ${IS_PENDING} and e.attempts >= $1 and e.leased_until <= to_timestamp($2 / 1000.0)
   returning e.realm_id as "realmId"`,
  { realmId: z.number() },
);

/** Fails exports whose last attempt was abandoned; returns their organizations. */
export async function failWornOut(tx: Transaction, maxAttempts: number, nowMs: number): Promise<number[]> {
  const rows = await tx.query(FAIL_WORN_OUT, [maxAttempts, nowMs]);
  // Sorted, as the caller locks the organizations' rows in this order.
  return [...new Set(rows.map(({ realmId }) => realmId))].sort((a, b) => a - b);
}

/**
 * Shared private channels: those with consent of a member and history open to all members; of others, the messages that consenting
 * members received (RECEIVED). Direct messages are selected by user in the messages service.
 */
const SHARED_CHANNELS = `array(select c.id from channel c where c.realm_id = e.realm_id and (not c.is_private or (
  e.kind = 'consented' and c.is_history_public and exists (
    select from subscription own join user_account u on u.realm_id = own.realm_id and u.id = own.user_id
    where own.realm_id = c.realm_id and own.channel_id = c.id and own.is_active and ${HAS_CONSENTED}))) order by c.id)`;

const CONSENTING_USERS = `array(select u.id from user_account u
  where u.realm_id = e.realm_id and e.kind = 'consented' and ${HAS_CONSENTED} order by u.id)`;

const RECEIVED = `(select coalesce(json_agg(json_strip_nulls(json_build_object('channelId', own.channel_id,
    'fromVersion', own.from_version, 'toVersion', own.to_version))), '[]')
  from (select distinct i.channel_id, i.from_version, i.to_version
    from subscription_interval i
    join channel c on c.realm_id = i.realm_id and c.id = i.channel_id and c.is_private and not c.is_history_public
    join user_account u on u.realm_id = i.realm_id and u.id = i.user_id
    where i.realm_id = e.realm_id and e.kind = 'consented' and ${HAS_CONSENTED}) own)`;

const CLAIM = statement(
  `with claimed as (
     update data_export e set attempts = e.attempts + 1, leased_until = to_timestamp(($2::bigint + $3) / 1000.0),
       path_id = coalesce(e.path_id, e.realm_id || '/' || $1)
     from (
       select e.realm_id, e.id from data_export e join realm r on r.id = e.realm_id
       where ${IS_PENDING} and not r.is_deactivated
         and (e.leased_until is null or e.leased_until <= to_timestamp($2 / 1000.0))
       order by e.created_at limit 1 for update of e skip locked
     ) next where e.realm_id = next.realm_id and e.id = next.id
     returning e.realm_id, e.id, e.attempts, e.path_id, e.kind
   )
   select json_build_object('held', json_build_object('realmId', e.realm_id, 'id', e.id, 'attempt', e.attempts),
     'kind', e.kind, 'path', ${PATH}, 'subdomain', r.subdomain,
     'realm', json_build_object('realmId', r.id, 'name', r.name, 'uuid', r.uuid, 'isDeactivated', r.is_deactivated),
     'channelIds', ${SHARED_CHANNELS}, 'userIds', ${CONSENTING_USERS}, 'received', ${RECEIVED}) as claimed
   from claimed e join realm r on r.id = e.realm_id`,
  { claimed: messageShape<ClaimedDataExport>('realm', 'ClaimedDataExport') },
);

interface Claim {
  /** The random part of the path in the store. */
  secret: string;
  nowMs: number;
  leaseMs: number;
}

/** The export that has waited longest; null: none. */
export async function claimDataExport(
  tx: Transaction,
  { secret, nowMs, leaseMs }: Claim,
): Promise<ClaimedDataExport | null> {
  const [row] = await tx.query(CLAIM, [secret, nowMs, leaseMs]);
  return row?.claimed ?? null;
}

const FORGET_PATHS = statement(
  `update data_export e set path_id = null from unnest($1::bigint[], $2::bigint[]) as gone (realm_id, id)
   where e.realm_id = gone.realm_id and e.id = gone.id and (e.deleted_at is not null or e.failed_at is not null)`,
);

export async function forgetPaths(
  sql: Sql,
  doomed: readonly Pick<DoomedDataExport, 'realmId' | 'id'>[],
): Promise<void> {
  await sql.query(FORGET_PATHS, [doomed.map(({ realmId }) => realmId), doomed.map(({ id }) => id)]);
}
