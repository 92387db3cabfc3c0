import { RealmDeactivatedError } from '@parley/shared/errors';
import { type AuthenticationMethods, realmSettingsOf } from '@parley/shared/values';
import type { Context } from '../context';
import { possibleTexts } from '../possible-values';
import { getRealm } from '../realms/get-realm';
import { findAccountByLoginName, type SignInAccount } from './accounts.sql';

export interface SignInPlace {
  realmId: number;
  /** The ways to sign in that the organization lets people use. */
  methods: AuthenticationMethods;
  /** Whose login name it is, if anybody's. */
  account: SignInAccount | null;
}

/** The organization that is signed in to, and who wants to. */
export async function findSignInAccount(
  ctx: Context,
  { subdomain, username }: { subdomain: string; username: string },
): Promise<SignInPlace> {
  const realm = await getRealm(ctx, { subdomain });
  if (realm.isDeactivated) throw new RealmDeactivatedError();
  const [loginName] = possibleTexts([username.trim()]);
  const account = loginName === undefined ? null : await findAccountByLoginName(ctx.db, realm.id, loginName);
  return { realmId: realm.id, methods: realmSettingsOf(realm).authentication_methods, account };
}
