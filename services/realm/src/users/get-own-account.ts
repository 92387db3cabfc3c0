import type { OwnAccount } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { renderProfile } from '../accounts/shown-profile';
import { confirmBy, keyToConfirm } from '../api-keys/confirm-credential';
import type { Context } from '../context';
import { loadOwnAccount } from './get-own-account.sql';

/** The caller's own account with its profile. The statement reads the key as well, so it confirms the credential. */
export async function getOwnAccount(ctx: Context, caller: Caller): Promise<OwnAccount> {
  const { realmId, userId } = caller;
  const row = await loadOwnAccount(ctx.db, { realmId, userId, apiKeyId: keyToConfirm(caller) });
  if (row === null) throw new Error(`organization ${realmId} has no user ${userId}, in whose name it was called`);
  const { user, profile, received, isKeyGood, subdomain, isRealmDeactivated } = row;
  confirmBy(isKeyGood ? { ...user, subdomain, isRealmDeactivated } : null, caller);
  return { user, profile: profile ? renderProfile({ userId, values: profile }).values : [], received };
}
