import { NotFoundError } from '@parley/shared/errors';
import type { Implementation } from '@parley/shared/rpc';
import type { Context } from '../context';

/** Sign-in through OpenID Connect providers. No organization has one yet. */
export function oidcMethods(_ctx: Context) {
  const noProvider = async () => {
    throw new NotFoundError('The organization has no such sign-in provider.');
  };
  return {
    listOidcProviders: async () => ({ providers: [] }),
    listOidcProviderSettings: async () => ({ providers: [] }),
    addOidcProvider: noProvider,
    updateOidcProvider: noProvider,
    removeOidcProvider: noProvider,
    testOidcProvider: noProvider,
    beginOidcSignIn: noProvider,
    finishOidcSignIn: noProvider,
    redeemLoginToken: noProvider,
    endOidcSessions: noProvider,
  } satisfies Partial<Implementation<'realm'>>;
}
