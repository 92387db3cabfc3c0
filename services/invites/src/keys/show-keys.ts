import type { Context } from '../context';
import { hashKey, invitationKey } from './invitation-key';
import { issueKeys, type KeyHolders } from './issue-keys';
import { listKeys } from './keys.sql';

/** A key of each of the invitations or links, by id. Those that were made with another secret get one more: the old ones hold, too. */
export async function showKeys(
  ctx: Pick<Context, 'db' | 'config' | 'clock'>,
  { realmId, kind, ids }: KeyHolders,
): Promise<Map<number, string>> {
  const secret = ctx.config.INVITATION_KEY_SECRET;
  const shown = new Map<number, string>();
  for (const { id, keyHash, salt } of await listKeys(ctx.db, realmId, kind, ids)) {
    const key = invitationKey(secret, { realmId, kind, id }, salt);
    if (!shown.has(id) && hashKey(key).equals(keyHash)) shown.set(id, key);
  }
  const others = ids.filter((id) => !shown.has(id));
  return new Map([...shown, ...(await issueKeys(ctx, ctx.db, { realmId, kind, ids: others }))]);
}
