import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { Slices } from '@parley/shared/batch';
import type { Sql } from '@parley/shared/db';
import { realmUrl } from '@parley/shared/values';
import type { Context } from '../context';
import { insertKeys, listKeys, type NewKey } from './keys.sql';

/** The kind of a key's subject: an e-mail invitation or a reusable link. Each kind has its own ids. */
export type KeyKind = 'invitation' | 'link';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const BITS_PER_LETTER = 5;
const BYTES = 15;

/** The format of all keys; other texts are rejected without a look-up. */
export const KEY_PATTERN = /^[a-z2-7]{24}$/;

/**
 * Derives a key from its salt and the service's secret, so that links and mails can be shown again although only the hash of a key is
 * stored. Salt and secret are useless without each other.
 */
export function invitationKey(
  secret: string,
  { realmId, kind, id }: { realmId: number; kind: KeyKind; id: number },
  salt: Buffer,
): string {
  const bytes = new Uint8Array(hkdfSync('sha256', secret, salt, `${kind} key ${realmId} ${id}`, BYTES));
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const letters = bits.match(new RegExp(`.{${BITS_PER_LETTER}}`, 'g')) as string[];
  return letters.map((letter) => ALPHABET[Number.parseInt(letter, 2)]).join('');
}

/** The stored form of a key. A fast hash suffices: 120 random bits cannot be guessed. */
export function hashKey(key: string): Buffer<ArrayBuffer> {
  return createHash('sha256').update(key).digest();
}

const SALT_BYTES = 16;

interface KeyHolders {
  realmId: number;
  kind: KeyKind;
  ids: readonly number[];
}

/** Issues one more key for each invitation or link; returns them by id. */
export async function issueKeys(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  sql: Sql,
  { realmId, kind, ids }: KeyHolders,
): Promise<Map<number, string>> {
  // No deadline: the caller's transaction has one.
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

/** One key of each invitation or link, by id. After a change of the secret they get new ones; old keys stay valid. */
export async function showKeys(
  ctx: Pick<Context, 'db' | 'config' | 'clock'>,
  { realmId, kind, ids }: KeyHolders,
): Promise<Map<number, string>> {
  const secret = ctx.config.INVITATION_KEY_SECRET;
  const shown = new Map<number, string>();
  const slices = new Slices(Number.POSITIVE_INFINITY);
  for (const { id, keyHash, salt } of await listKeys(ctx.db, realmId, kind, ids)) {
    if (shown.has(id)) continue;
    await slices.pause();
    const key = invitationKey(secret, { realmId, kind, id }, salt);
    if (hashKey(key).equals(keyHash)) shown.set(id, key);
  }
  const others = ids.filter((id) => !shown.has(id));
  return new Map([...shown, ...(await issueKeys(ctx, ctx.db, { realmId, kind, ids: others }))]);
}

/** The address where an invitation is accepted. */
export function keyUrl(
  kind: KeyKind,
  key: string,
  { subdomain, externalHost }: { subdomain: string; externalHost: string },
): string {
  const origin = realmUrl(subdomain, externalHost);
  return kind === 'link' ? `${origin}/join/${key}/` : `${origin}/accounts/do_confirm/${key}`;
}
