import { BadRequestError, UserDeactivatedError } from '@parley/shared/errors';
import type { FetchedApiKey, RedeemLoginTokenRequest, User } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { z } from 'zod';
import { findUser } from '../accounts/users.sql';
import { openSecret, sealSecret } from '../base/sealed-secret';
import type { Context } from '../context';
import { getOpenRealm } from '../organization/change-organization';
import { findIdentity } from './identities';
import { issueProviderKey } from './let-in';
import { spend } from './oidc.sql';
import { findProvider } from './provider-rows';

const VALID_MS = 15_000;
const MAX_LENGTH = 2_048;

const TOKEN = z.strictObject({
  userId: z.number(),
  providerId: z.number(),
  subject: z.string(),
  sid: z.string().nullable(),
  endsAtMs: z.number(),
});

type Token = z.infer<typeof TOKEN>;

/** A text with which a program that has no cookie of the browser takes over its sign-in, once, within seconds. */
export function makeLoginToken(
  { config, clock }: Context,
  { realmId, id: userId }: User,
  signedIn: Pick<Token, 'providerId' | 'subject' | 'sid'>,
): string {
  const token: Token = { userId, ...signedIn, endsAtMs: clock.now() + VALID_MS };
  return sealSecret(config.BOT_KEY_SECRET, `login token at ${realmId}`, JSON.stringify(token)).toString('base64url');
}

/** Makes the session of a login token. */
export async function redeemLoginToken(
  ctx: Context,
  { subdomain, loginToken, label, device }: RedeemLoginTokenRequest,
  clientAddress = '',
): Promise<FetchedApiKey> {
  const { id: realmId } = await getOpenRealm(ctx, subdomain);
  const token = openToken(ctx, realmId, loginToken);
  const nowMs = ctx.clock.now();
  if (token === null || token.endsAtMs <= nowMs) throw notValid();
  // The provider may have been removed in these seconds, or the link to the account.
  const { issuer } = await findProvider(ctx.prisma, realmId, token.providerId);
  const identity = await findIdentity(ctx.prisma, realmId, { issuer, subject: token.subject });
  if (identity?.userId !== token.userId) throw notValid();
  const once = { what: ['login token', loginToken], endsAtMs: token.endsAtMs };
  return ctx.db.transaction(async (tx) => {
    if (!(await spend(tx, realmId, once, nowMs))) throw notValid();
    const user = await findUser(tx, realmId, token.userId);
    if (!user?.isActive) throw new UserDeactivatedError();
    const { providerId, subject, sid } = token;
    return issueProviderKey(ctx, tx, user, {
      ...{ providerId, subject, sid, isSession: true },
      ...{ label, device, clientAddress },
    });
  });
}

function openToken({ config }: Context, realmId: number, text: string): Token | null {
  if (text.length > MAX_LENGTH) return null;
  const sealed = Buffer.from(text, 'base64url');
  // Several texts of base64 have the same bytes: only the one that was given out counts, or a token could be used twice.
  if (sealed.toString('base64url') !== text) return null;
  const json = openSecret(config.BOT_KEY_SECRET, `login token at ${realmId}`, sealed);
  return json === null ? null : TOKEN.parse(JSON.parse(json));
}

function notValid(): BadRequestError {
  return new BadRequestError(REFUSAL.providers.noToken);
}
