import { onlyRow, type Sql, statement, type Transaction } from '@parley/shared/db';
import { z } from 'zod';
import type { Avatar } from './avatars';

const REPLACE = statement(
  `with former as (
     delete from avatar_image i using user_account u
     where u.realm_id = $1 and u.id = $2 and i.realm_id = u.realm_id and i.file_name = u.avatar_file_name
   ), image as (
     insert into avatar_image (realm_id, file_name, small_bytes, medium_bytes)
     select $1, $3::text, $4::bytea, $5::bytea where $3 is not null
   )
   update user_account
   set avatar_file_name = $3, avatar_source = case when $3 is null then 'G' else 'U' end, avatar_version = avatar_version + 1
   where realm_id = $1 and id = $2
   returning avatar_version as version`,
  { version: z.number() },
);

/** Replaces the account's picture (null: removes it) and deletes the former image. Returns the picture's new version. */
export async function replaceAvatar(
  tx: Transaction,
  realmId: number,
  userId: number,
  avatar: Avatar | null,
): Promise<number> {
  const values = [realmId, userId, avatar?.fileName ?? null, avatar?.small ?? null, avatar?.medium ?? null];
  return onlyRow(await tx.query(REPLACE, values)).version;
}

// Not with Prisma, which would convert each picture to text and back.
const FIND_BYTES = statement(
  `select case when $3 then medium_bytes else small_bytes end as bytes
   from avatar_image where realm_id = $1 and file_name = $2`,
  { bytes: z.instanceof(Buffer) },
);

/** Null when the organization has no such picture. */
export async function findAvatarBytes(
  sql: Sql,
  realmId: number,
  fileName: string,
  isMedium: boolean,
): Promise<Buffer | null> {
  const [row] = await sql.query(FIND_BYTES, [realmId, fileName, isMedium]);
  return row?.bytes ?? null;
}
