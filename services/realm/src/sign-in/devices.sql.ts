import { onlyRow, statement, type Transaction } from '@parley/shared/db';
import { z } from 'zod';

/** Remembered devices of an account: the most recently used. */
const MAX_DEVICES = 50;

const REMEMBER = statement(
  `with known as (
     select count(*) as count, coalesce(bool_or(device_hash = $3), false) as is_known
     from sign_in_device where realm_id = $1 and user_id = $2
   ), remembered as (
     insert into sign_in_device (realm_id, user_id, device_hash, used_at) values ($1, $2, $3, to_timestamp($4 / 1000.0))
     on conflict (realm_id, user_id, device_hash) do update set used_at = excluded.used_at
   ), forgotten as (
     delete from sign_in_device where (realm_id, user_id, device_hash) in (
       select realm_id, user_id, device_hash from sign_in_device
       where realm_id = $1 and user_id = $2 and device_hash <> $3 order by used_at desc offset ${MAX_DEVICES - 1})
   )
   select count > 0 and not is_known as "isNew" from known`,
  { isNew: z.boolean() },
);

/** Remembers a device from which an account signs in; true: it has signed in before, but never from this one. */
export async function rememberDevice(
  tx: Transaction,
  { realmId, userId, deviceHash }: { realmId: number; userId: number; deviceHash: Buffer },
  nowMs: number,
): Promise<boolean> {
  return onlyRow(await tx.query(REMEMBER, [realmId, userId, deviceHash, nowMs])).isNew;
}
