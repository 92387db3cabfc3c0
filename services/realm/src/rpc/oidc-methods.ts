import { byCaller, type Implementation } from '@parley/shared/rpc';
import type { Context } from '../context';
import { beginOidcSignIn } from '../oidc/begin-sign-in';
import { endOidcSessions } from '../oidc/end-sessions';
import { finishOidcSignIn } from '../oidc/finish-sign-in';
import { forgetOidcIdentities } from '../oidc/forget-identities';
import { redeemLoginToken } from '../oidc/login-tokens';
import {
  addOidcProvider,
  listOidcProviderSettings,
  listOidcProviders,
  removeOidcProvider,
  testOidcProvider,
  updateOidcProvider,
} from '../oidc/providers';

/** Sign-in through OpenID Connect providers. */
export function oidcMethods(ctx: Context) {
  return {
    listOidcProviders: (_call, request) => listOidcProviders(ctx, request),
    listOidcProviderSettings: byCaller((caller) => listOidcProviderSettings(ctx, caller)),
    addOidcProvider: byCaller((caller, request) => addOidcProvider(ctx, caller, request)),
    updateOidcProvider: byCaller((caller, request) => updateOidcProvider(ctx, caller, request)),
    removeOidcProvider: byCaller((caller, request) => removeOidcProvider(ctx, caller, request)),
    forgetOidcIdentities: byCaller((caller, request) => forgetOidcIdentities(ctx, caller, request)),
    testOidcProvider: byCaller((caller, request) => testOidcProvider(ctx, caller, request)),
    beginOidcSignIn: (_call, request) => beginOidcSignIn(ctx, request),
    finishOidcSignIn: (call, request) => finishOidcSignIn(ctx, call, request),
    redeemLoginToken: (call, request) => redeemLoginToken(ctx, request, call.clientAddress),
    endOidcSessions: (call, request) => endOidcSessions(ctx, call, request),
  } satisfies Partial<Implementation<'realm'>>;
}
