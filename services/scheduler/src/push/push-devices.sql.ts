import { onlyRow, type RowOf, type Sql, statement, type Transaction } from '@parley/shared/db';
import { z } from 'zod';
import { type DeviceKey, keysOf } from './deliveries.sql';
import { JOB_KIND, PUSH_KINDS, type PushKind } from './push';

export interface NewDevice {
  realmId: number;
  userId: number;
  kind: PushKind;
  token: string;
  tokenHash: Buffer;
  appId: string | null;
  p256dh: string | null;
  auth: string | null;
  apiKeyId: number;
}

const LOCK_USER = statement('select from pg_advisory_xact_lock(hashtextextended($1, 0))', {});

/** Registrations of a user wait for one another, so that the bound holds. */
export async function lockDevicesOf(tx: Transaction, realmId: number, userId: number): Promise<void> {
  await tx.query(LOCK_USER, [`push_device:${realmId}:${userId}`]);
}

const PUT = statement(
  `insert into push_device (realm_id, user_id, kind, token, token_hash, app_id, p256dh, auth, api_key_id, registered_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, to_timestamp($10::bigint / 1000.0))
   on conflict (realm_id, user_id, kind, token_hash) do update set app_id = excluded.app_id, p256dh = excluded.p256dh,
     auth = excluded.auth, api_key_id = excluded.api_key_id, registered_at = excluded.registered_at`,
);

/** Registers a device of the user, or renews its registration. */
export async function putDevice(tx: Transaction, device: NewDevice, nowMs: number): Promise<void> {
  const { realmId, userId, kind, token, tokenHash, appId, p256dh, auth, apiKeyId } = device;
  await tx.query(PUT, [realmId, userId, kind, token, tokenHash, appId, p256dh, auth, apiKeyId, nowMs]);
}

/** SQL: deletes the devices of a condition, with everything about them; counts them. */
const deleteDevices = (condition: string) =>
  `with ended as (
     delete from push_device d where d.realm_id = $1 and ${condition} returning id
   ), pushes as (
     delete from push where realm_id = $1 and device_id in (select id from ended)
   ), jobs as (
     delete from due_job where realm_id = $1 and kind = '${JOB_KIND}' and id in (select id from ended)
   )
   select count(*) as count from ended`;
const COUNT = { count: z.number() };

const DELETE_EXCESS = statement(
  deleteDevices(
    `d.id in (select id from push_device where realm_id = $1 and user_id = $2 and kind = any($3::text[])
     order by registered_at desc, id desc offset $4)`,
  ),
  COUNT,
);

/** Deletes the devices of these kinds that were registered longest ago, beyond the bound. */
export async function deleteExcessDevices(
  tx: Transaction,
  { realmId, userId }: { realmId: number; userId: number },
  kinds: readonly PushKind[],
  bound: number,
): Promise<void> {
  await tx.query(DELETE_EXCESS, [realmId, userId, kinds, bound]);
}

const DELETE_BY_TOKEN = statement(
  deleteDevices(
    'd.kind = $2 and d.token_hash = $3 and ($4::bigint is null or d.user_id = $4) and d.user_id is distinct from $5',
  ),
  COUNT,
);

/** Deletes registrations of a token: one user's, or those of all but one. Returns their number. */
export async function deleteByToken(
  sql: Sql,
  { realmId, kind, tokenHash }: Pick<NewDevice, 'realmId' | 'kind' | 'tokenHash'>,
  whose: { userId: number } | { exceptUserId: number },
): Promise<number> {
  const users = 'userId' in whose ? [whose.userId, null] : [null, whose.exceptUserId];
  return onlyRow(await sql.query(DELETE_BY_TOKEN, [realmId, kind, tokenHash, ...users])).count;
}

const DELETE_OF_USERS = statement(deleteDevices('d.user_id = any($2::bigint[])'), COUNT);

export async function deleteDevicesOf(sql: Sql, realmId: number, userIds: readonly number[]): Promise<number> {
  return onlyRow(await sql.query(DELETE_OF_USERS, [realmId, userIds])).count;
}

const DELETE_OF_KEYS = statement(deleteDevices('d.user_id = $2 and d.api_key_id = any($3::bigint[])'), COUNT);

export async function deleteDevicesOfKeys(
  sql: Sql,
  { realmId, userId }: { realmId: number; userId: number },
  keyIds: readonly number[],
): Promise<void> {
  await sql.query(DELETE_OF_KEYS, [realmId, userId, keyIds]);
}

const DELETE_ONE = statement(deleteDevices('d.id = $2'), COUNT);

/** The device is unknown to who carries notifications to it, or its session has ended. */
export async function deleteDevice(sql: Sql, realmId: number, deviceId: number): Promise<void> {
  await sql.query(DELETE_ONE, [realmId, deviceId]);
}

const DEVICE = {
  realmId: z.number(),
  id: z.number(),
  userId: z.number(),
  kind: z.enum(PUSH_KINDS),
  token: z.string(),
  appId: z.string().nullable(),
  p256dh: z.string().nullable(),
  auth: z.string().nullable(),
  apiKeyId: z.number(),
  registeredAtMs: z.number(),
};
const COLUMNS = `realm_id as "realmId", id, user_id as "userId", kind, token, app_id as "appId", p256dh, auth,
  api_key_id as "apiKeyId", registered_at as "registeredAtMs"`;

const FIND = statement(
  `select ${COLUMNS} from push_device join unnest($1::bigint[], $2::bigint[]) as job (realm_id, id) using (realm_id, id)`,
  DEVICE,
);

export type PushDevice = RowOf<typeof FIND>;

export function findDevices(sql: Sql, devices: readonly DeviceKey[]): Promise<PushDevice[]> {
  return sql.query(FIND, keysOf(devices));
}

const LIST = statement(
  `select ${COLUMNS} from push_device where realm_id = $1 and user_id = $2 order by registered_at, id`,
  DEVICE,
);

/** All devices of a user, the one registered last at the end. */
export function listDevicesOf(sql: Sql, realmId: number, userId: number): Promise<PushDevice[]> {
  return sql.query(LIST, [realmId, userId]);
}

const NOTE_PUSHED = statement(
  `update push_device d set pushed_at = to_timestamp($3::bigint / 1000.0)
   from unnest($1::bigint[], $2::bigint[]) as pushed (realm_id, id) where d.realm_id = pushed.realm_id and d.id = pushed.id`,
);

export async function notePushed(sql: Sql, devices: readonly DeviceKey[], nowMs: number): Promise<void> {
  await sql.query(NOTE_PUSHED, [...keysOf(devices), nowMs]);
}
