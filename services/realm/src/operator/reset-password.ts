import type { ResetPasswordRequest, ResetPasswordResponse } from '@parley/shared/proto';
import { randomKey } from '../api-keys/random-key';
import { replaceApiKeys } from '../api-keys/replace-api-keys';
import type { Context } from '../context';
import { checkPassword, hashPassword } from '../users/password';
import { holdActivePerson } from './hold-active-person';
import { storePasswordHash } from './operator.sql';

/**
 * Gives a person another password. Whoever had the old one may have keys as well: they all end, and with them the queues; one new
 * key takes their place. For the operator's command.
 */
export async function resetPassword(
  ctx: Context,
  { password = randomKey(), ...named }: ResetPasswordRequest,
): Promise<ResetPasswordResponse> {
  checkPassword(password);
  const passwordHash = await hashPassword(password);
  return ctx.db.transaction(async (tx) => {
    const user = await holdActivePerson(tx, named);
    await storePasswordHash(tx, { realmId: user.realmId, userId: user.id }, passwordHash);
    return { userId: user.id, password, apiKey: await replaceApiKeys(ctx, tx, user) };
  });
}
