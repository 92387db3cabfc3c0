import type { Sql } from '@parley/shared/db';
import { BadRequestError, UnauthorizedError } from '@parley/shared/errors';
import type {
  CreateScimTokenRequest,
  NewScimToken,
  RevokeScimTokenRequest,
  RevokeScimTokenResponse,
  RotateScimTokenRequest,
  ScimAccess,
  ScimTokens,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { codePointLength, findForbiddenCharacter } from '@parley/shared/values';
import { getOwnUser } from '../accounts/get-own-user';
import { requireOwner } from '../base/guards';
import { possibleIds, possibleTexts } from '../base/possible-values';
import { hashKey, randomKey } from '../base/random-key';
import type { Context } from '../context';
import { changeOrganization } from '../organization/change-organization';
import { findToken } from './tokens.sql';

/** The prefix lets scanners of published code find lost tokens. */
const PREFIX = 'parley_scim_';
const HASH_BYTES = 32;
const MAX_NAME_LENGTH = 100;
const MAX_TOKENS = 20;
const MINUTE_MS = 60_000;
const MAX_OVERLAP_MINUTES = 7 * 24 * 60;

/** The organization of a request's token, and the token's id. */
export interface Provider {
  realmId: number;
  tokenId: number;
}

/** Throws UNAUTHORIZED, the same for unknown, ended and other organizations' tokens. */
export async function requireProvider(
  sql: Sql,
  { clock }: Pick<Context, 'clock'>,
  access: ScimAccess | null,
): Promise<Provider> {
  const { subdomain = '', tokenHash = new Uint8Array() } = access ?? {};
  const isPossible = tokenHash.length === HASH_BYTES && possibleTexts([subdomain]).length > 0;
  const provider = isPossible ? await findToken(sql, { subdomain, tokenHash }, clock.now()) : null;
  if (provider === null) throw new UnauthorizedError('Invalid bearer token');
  return provider;
}

/** Makes a token for an identity provider; for owners. */
export async function createScimToken(
  ctx: Context,
  caller: Caller,
  request: CreateScimTokenRequest,
): Promise<NewScimToken> {
  const name = nameFromInput(request.name);
  const { realmId } = caller;
  return changeOrganization(ctx, caller, requireOwner, async (_tx, _actor, prisma) => {
    const count = await prisma.scimToken.count({ where: { realmId, revokedAt: null } });
    if (count >= MAX_TOKENS) throw new BadRequestError(`Too many tokens (limit: ${MAX_TOKENS})`);
    const token = newToken();
    const { id } = await prisma.scimToken.create({
      data: { realmId, name, tokenHash: hashOf(token), createdAt: new Date(ctx.clock.now()) },
    });
    return { tokenId: id, token };
  });
}

function nameFromInput(text: string): string {
  const name = text.trim();
  if (name === '') throw new BadRequestError('A token needs a name');
  const position = findForbiddenCharacter(name);
  if (position !== null) throw new BadRequestError(`Invalid character in name, at position ${position}.`);
  if (codePointLength(name) > MAX_NAME_LENGTH) {
    throw new BadRequestError(`name is too long (limit: ${MAX_NAME_LENGTH} characters)`);
  }
  return name;
}

function newToken(): string {
  return PREFIX + randomKey();
}

function hashOf(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hashKey(token));
}

/** The organization's tokens, without their secrets, and the roles that groups give; for owners. */
export async function listScimTokens(ctx: Context, caller: Caller): Promise<ScimTokens> {
  requireOwner(await getOwnUser(ctx, caller));
  const { realmId } = caller;
  const tokens = await ctx.prisma.scimToken.findMany({ where: { realmId, revokedAt: null }, orderBy: { id: 'asc' } });
  const roles = await ctx.prisma.scimRole.findMany({ where: { realmId }, orderBy: { groupName: 'asc' } });
  const nowMs = ctx.clock.now();
  return {
    tokens: tokens.map(({ id, name, createdAt, formerEndsAt }) => {
      const token = { id, name, createdAtMs: createdAt.getTime() };
      const endsAtMs = formerEndsAt?.getTime() ?? 0;
      return endsAtMs > nowMs ? { ...token, formerEndsAtMs: endsAtMs } : token;
    }),
    roles: roles.map(({ groupName, role }) => ({ groupName, role })),
  };
}

/** Gives a token a new secret; the present one stays valid for the overlap, a former one ends. For owners. */
export async function rotateScimToken(
  ctx: Context,
  caller: Caller,
  { tokenId, overlapMinutes }: RotateScimTokenRequest,
): Promise<NewScimToken> {
  if (!Number.isSafeInteger(overlapMinutes) || overlapMinutes < 0 || overlapMinutes > MAX_OVERLAP_MINUTES) {
    throw new BadRequestError(`overlap_minutes is not from 0 to ${MAX_OVERLAP_MINUTES}`);
  }
  return changeOrganization(ctx, caller, requireOwner, async (_tx, _actor, prisma) => {
    const { realmId, id, tokenHash } = await prisma.scimToken
      .findFirst({ where: { realmId: caller.realmId, id: { in: possibleIds([tokenId]) }, revokedAt: null } })
      .then(requireToken);
    const token = newToken();
    const former =
      overlapMinutes === 0
        ? { formerHash: null, formerEndsAt: null }
        : { formerHash: tokenHash, formerEndsAt: new Date(ctx.clock.now() + overlapMinutes * MINUTE_MS) };
    await prisma.scimToken.update({
      where: { realmId_id: { realmId, id } },
      data: { tokenHash: hashOf(token), ...former },
    });
    return { tokenId: id, token };
  });
}

function requireToken<Token>(token: Token | null): Token {
  if (token === null) throw new BadRequestError('No such token');
  return token;
}

/** Ends a token with its former secret; for owners. */
export async function revokeScimToken(
  ctx: Context,
  caller: Caller,
  { tokenId }: RevokeScimTokenRequest,
): Promise<RevokeScimTokenResponse> {
  return changeOrganization(ctx, caller, requireOwner, async (_tx, _actor, prisma) => {
    const { count } = await prisma.scimToken.updateMany({
      where: { realmId: caller.realmId, id: { in: possibleIds([tokenId]) }, revokedAt: null },
      data: { revokedAt: new Date(ctx.clock.now()) },
    });
    if (count === 0) throw new BadRequestError('No such token');
    return {};
  });
}
