import { BadRequestError } from '@parley/shared/errors';
import { REFUSAL } from '@parley/shared/texts/refusals';
import type * as Oidc from 'openid-client';
import type { Context } from '../context';
import type { Begun } from './begin-sign-in';
import { addressOf, type Claims, type SignedIn } from './claims';
import { openIdClient } from './libraries';
import { faultOf, openProvider } from './provider-client';
import type { Provider } from './provider-rows';

const MAX_SUBJECT_LENGTH = 255;
const MAX_SID_LENGTH = 255;

/** Exchanges the provider's answer for what it says about the person. Throws BAD_REQUEST in words; the log has the reason. */
export async function askProvider(ctx: Context, provider: Provider, begun: Begun, query: string): Promise<SignedIn> {
  const client = await openProvider(ctx, provider);
  try {
    const tokens = await openIdClient().authorizationCodeGrant(client, new URL(`${begun.redirectUri}?${query}`), {
      ...{ expectedState: begun.state, expectedNonce: begun.nonce, pkceCodeVerifier: begun.verifier },
      idTokenExpected: true,
    });
    const claims = tokens.claims() as Oidc.IDToken;
    const info = await userInfoOf(client, tokens.access_token, claims.sub);
    return signedInOf(claims, info);
  } catch (error) {
    if (error instanceof BadRequestError) throw error;
    ctx.log.warn({ realmId: provider.realmId, provider: provider.id, reason: faultOf(error) }, 'a sign-in was refused');
    throw refusal(error);
  }
}

/** Some providers name the address and the groups only there. */
async function userInfoOf(client: Oidc.Configuration, accessToken: string, subject: string): Promise<Claims> {
  if (client.serverMetadata().userinfo_endpoint === undefined) return {};
  return (await openIdClient().fetchUserInfo(client, accessToken, subject)) as Claims;
}

function signedInOf(idToken: Oidc.IDToken, info: Claims): SignedIn {
  const { iss: issuer, sub: subject } = idToken;
  const isPossible = subject.length > 0 && subject.length <= MAX_SUBJECT_LENGTH && !subject.includes('\0');
  if (!isPossible) throw new BadRequestError(REFUSAL.providers.noIdentifier);
  const sid = idToken['sid'];
  return {
    ...{ issuer, subject, claims: { ...info, ...idToken }, address: addressOf(issuer, [idToken as Claims, info]) },
    sid: typeof sid === 'string' && sid.length <= MAX_SID_LENGTH && !sid.includes('\0') ? sid : null,
  };
}

/** The provider's own refusals have a known word, as `access_denied`; everything else is a fault of one of both sides. */
function refusal(error: unknown): BadRequestError {
  if (error instanceof openIdClient().AuthorizationResponseError && /^[a-z_]{1,50}$/.test(error.error)) {
    return new BadRequestError(REFUSAL.providers.refused(error.error));
  }
  return new BadRequestError(REFUSAL.providers.invalidAnswer);
}
