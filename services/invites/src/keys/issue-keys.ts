import { randomBytes } from 'node:crypto';
import { Slices } from '@parley/shared/batch';
import type { Sql } from '@parley/shared/db';
import type { Context } from '../context';
import { hashKey, invitationKey, type KeyKind } from './invitation-key';
import { insertKeys, type NewKey } from './keys.sql';

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
  // Whoever asks is in a transaction, whose own deadline ends it.
  const slices = new Slices(Number.POSITIVE_INFINITY);
  const keys: { key: string; row: NewKey }[] = [];
  for (const id of ids) {
    await slices.pause();
    const salt = randomBytes(SALT_BYTES);
    const key = invitationKey(config.INVITATION_KEY_SECRET, { realmId, kind, id }, salt);
    keys.push({ key, row: { id, keyHash: hashKey(key), salt } });
  }
  const rows = keys.map(({ row }) => row);
  if (rows.length > 0) await insertKeys(sql, { realmId, kind, createdAtMs: clock.now() }, rows);
  return new Map(keys.map(({ key, row }) => [row.id, key]));
}
