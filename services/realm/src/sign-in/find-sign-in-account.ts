import { RealmDeactivatedError } from '@parley/shared/errors';
import type { Context } from '../context';
import { possibleTexts } from '../possible-values';
import { getRealm } from '../realms/get-realm';
import { findAccountByLoginName, type SignInAccount } from './accounts.sql';

/** The organization that is signed in to, and whose login name it is there, if anybody's. */
export async function findSignInAccount(
  ctx: Context,
  { subdomain, username }: { subdomain: string; username: string },
): Promise<{ realmId: number; account: SignInAccount | null }> {
  const realm = await getRealm(ctx, { subdomain });
  if (realm.isDeactivated) throw new RealmDeactivatedError();
  const [loginName] = possibleTexts([username.trim()]);
  const account = loginName === undefined ? null : await findAccountByLoginName(ctx.db, realm.id, loginName);
  return { realmId: realm.id, account };
}
