import { randomBytes } from 'node:crypto';
import type { Sql } from '@parley/shared/db';
import type { Context } from '../context';
import { hashKey, invitationKey, type KeyKind } from './invitation-key';
import { insertKeys } from './keys.sql';

const SALT_BYTES = 16;

export interface KeyHolders {
  realmId: number;
  kind: KeyKind;
  ids: readonly number[];
}

/** Gives each of the invitations or links one key more, which showKeys() can show again; returns them by id. */
export async function issueKeys(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  sql: Sql,
  { realmId, kind, ids }: KeyHolders,
): Promise<Map<number, string>> {
  const keys = ids.map((id) => {
    const salt = randomBytes(SALT_BYTES);
    const key = invitationKey(config.INVITATION_KEY_SECRET, { realmId, kind, id }, salt);
    return { key, row: { id, keyHash: hashKey(key), salt } };
  });
  const rows = keys.map(({ row }) => row);
  if (rows.length > 0) await insertKeys(sql, { realmId, kind, createdAtMs: clock.now() }, rows);
  return new Map(keys.map(({ key, row }) => [row.id, key]));
}
