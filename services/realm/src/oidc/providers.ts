import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { apiKeyRevoked } from '@parley/shared/events';
import type {
  AddOidcProviderRequest,
  AddOidcProviderResponse,
  ListOidcProvidersRequest,
  OidcProviderSettings,
  OidcProviderSettingsList,
  OidcProviders,
  RemoveOidcProviderRequest,
  RemoveOidcProviderResponse,
  TestedOidcProvider,
  TestOidcProviderRequest,
  UpdateOidcProviderRequest,
  UpdateOidcProviderResponse,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { getOwnUser } from '../accounts/get-own-user';
import { revokeApiKeys } from '../api-keys/api-keys.sql';
import { requireAdministrator, requireOwner } from '../base/guards';
import { possibleIds, possibleTexts } from '../base/possible-values';
import type { Context, Tables } from '../context';
import { changeOrganization } from '../organization/change-organization';
import { findRealmBySubdomain } from '../organization/realms.sql';
import { listProviderSessions, listRulableGroups } from './oidc.sql';
import { describeProvider, faultOf, fetchOutside } from './provider-client';
import { providerFromInput, secretFromInput } from './provider-input';
import { findProvider, listProviders, type Provider, sealClientSecret, secretOf } from './provider-rows';

const MAX_PROVIDERS = 50;

/** The providers for sign-in pages. Empty for unknown and closed organizations. */
export async function listOidcProviders(ctx: Context, { subdomain }: ListOidcProvidersRequest): Promise<OidcProviders> {
  const [possible] = possibleTexts([subdomain]);
  const realm = possible === undefined ? null : await findRealmBySubdomain(ctx.db, possible);
  if (realm === null || realm.isDeactivated) return { providers: [] };
  const providers = await listProviders(ctx.prisma, realm.id);
  return {
    providers: providers.map(({ id, displayName, iconUrl }) => ({
      id,
      displayName,
      ...(iconUrl !== '' && { iconUrl }),
    })),
  };
}

/** All settings of the providers but their secrets. For administrators. */
export async function listOidcProviderSettings(ctx: Context, caller: Caller): Promise<OidcProviderSettingsList> {
  requireAdministrator(await getOwnUser(ctx, caller));
  const providers = await listProviders(ctx.prisma, caller.realmId);
  return {
    providers: providers.map(({ realmId: _realm, id, sealedSecret, ...settings }) => ({
      ...{ id, settings, hasClientSecret: sealedSecret !== null },
    })),
  };
}

/** Adds a provider. For owners: it can let anybody in as any user. */
export async function addOidcProvider(
  ctx: Context,
  caller: Caller,
  request: AddOidcProviderRequest,
): Promise<AddOidcProviderResponse> {
  return changeOrganization(ctx, caller, requireOwner, async (tx, { realmId }, prisma) => {
    const settings = await settingsFromInput(tx, realmId, request.settings);
    const secret = secretFromInput(request.clientSecret);
    const others = await listProviders(prisma, realmId);
    if (others.length >= MAX_PROVIDERS)
      throw new BadRequestError(`Too many sign-in providers (limit: ${MAX_PROVIDERS}).`);
    const place = { realmId, issuer: settings.issuer };
    const sealedSecret = secret === null ? null : sealClientSecret(ctx.config.BOT_KEY_SECRET, place, secret);
    const data = { ...rowOf(settings), realmId, sealedSecret };
    const { id } = await prisma.oidcProvider.create({ data });
    return { providerId: id };
  });
}

export async function updateOidcProvider(
  ctx: Context,
  caller: Caller,
  request: UpdateOidcProviderRequest,
): Promise<UpdateOidcProviderResponse> {
  return changeOrganization(ctx, caller, requireOwner, async (tx, { realmId }, prisma) => {
    const former = await findProvider(prisma, realmId, request.providerId);
    const settings = await settingsFromInput(tx, realmId, request.settings);
    const sealedSecret = sealedFromInput(ctx, former, settings, request.clientSecret);
    const data = { ...rowOf(settings), sealedSecret };
    const isAnother = settings.issuer !== former.issuer;
    if (isAnother) await endSessionsOf(tx, former, ctx.clock.now());
    await prisma.oidcProvider.update({ where: { realmId_id: { realmId, id: former.id } }, data });
    if (isAnother) await forgetIdentities(prisma, former);
    return {};
  });
}

function sealedFromInput(
  { config }: Context,
  former: Provider,
  { issuer }: OidcProviderSettings,
  text: string | undefined,
): Uint8Array<ArrayBuffer> | null {
  if (text === undefined && former.sealedSecret !== null && issuer !== former.issuer) {
    throw new BadRequestError('Enter the client secret of the new issuer.');
  }
  if (text === undefined) return former.sealedSecret && new Uint8Array(former.sealedSecret);
  const secret = secretFromInput(text);
  return secret === null ? null : sealClientSecret(config.BOT_KEY_SECRET, { realmId: former.realmId, issuer }, secret);
}

async function settingsFromInput(
  tx: Transaction,
  realmId: number,
  input: OidcProviderSettings | null,
): Promise<OidcProviderSettings> {
  if (input === null) throw new BadRequestError('The provider has no settings.');
  const settings = providerFromInput(input);
  const groupIds = settings.groupRules.map(({ groupId }) => groupId);
  const known = new Set(await listRulableGroups(tx, realmId, possibleIds(groupIds)));
  const unknown = groupIds.find((groupId) => !known.has(groupId));
  if (unknown !== undefined)
    throw new BadRequestError(`group_rules names group ${unknown}, which cannot have members from outside.`);
  return settings;
}

function rowOf({ groupRules, roleRules, ...settings }: OidcProviderSettings) {
  return {
    ...settings,
    groupRules: groupRules.map(({ value, groupId }) => ({ value, groupId })),
    roleRules: roleRules.map(({ value, role }) => ({ value, role })),
  };
}

/** Ends the sessions made through a provider, forgets its identities, and removes it. Accounts stay. */
export async function removeOidcProvider(
  ctx: Context,
  caller: Caller,
  { providerId }: RemoveOidcProviderRequest,
): Promise<RemoveOidcProviderResponse> {
  return changeOrganization(ctx, caller, requireOwner, async (tx, { realmId }, prisma) => {
    const provider = await findProvider(prisma, realmId, providerId);
    await endSessionsOf(tx, provider, ctx.clock.now());
    await prisma.oidcProvider.delete({ where: { realmId_id: { realmId, id: provider.id } } });
    await forgetIdentities(prisma, provider);
    return {};
  });
}

/** All sessions through a provider, which cannot end them any more; its keys, too, if they should have ended with a logout. */
async function endSessionsOf(tx: Transaction, { realmId, id, keysEndAt }: Provider, nowMs: number): Promise<void> {
  const sessions = await listProviderSessions(tx, { realmId, id, includesKeys: keysEndAt === 'logout' });
  await endProviderKeys(tx, realmId, sessions, nowMs);
}

/** Who is whom at an issuer that no provider has any more: with another issuer, accounts are linked anew by their addresses. */
async function forgetIdentities(prisma: Tables, { realmId, issuer }: Provider): Promise<void> {
  const others = await listProviders(prisma, realmId);
  const isShared = others.some((other) => other.issuer === issuer);
  if (!isShared) await prisma.oidcIdentity.deleteMany({ where: { realmId, issuer } });
}

/** Ends sessions and keys at once, with their queues. */
export async function endProviderKeys(
  tx: Transaction,
  realmId: number,
  ended: readonly { userId: number; keyIds: number[] }[],
  nowMs: number,
): Promise<void> {
  for (const { userId, keyIds } of ended) {
    const revoked = await revokeApiKeys(tx, { realmId, userId }, keyIds, nowMs);
    await announce(tx, apiKeyRevoked(realmId, { userId, keyIds: revoked }));
  }
}

const MAX_FAULT_LENGTH = 500;

/** Asks a provider for its description and its keys. For administrators. */
export async function testOidcProvider(
  ctx: Context,
  caller: Caller,
  { providerId }: TestOidcProviderRequest,
): Promise<TestedOidcProvider> {
  requireAdministrator(await getOwnUser(ctx, caller));
  const provider = await findProvider(ctx.prisma, caller.realmId, providerId);
  const nothing = { authorizationEndpoint: '', tokenEndpoint: '', keys: 0, hasBackchannelLogout: false };
  try {
    secretOf(ctx.config.BOT_KEY_SECRET, provider);
    const { metadata } = await describeProvider(ctx, provider.issuer, true);
    const keys = await countKeys(ctx, metadata.jwks_uri as string);
    return {
      ...{ faults: faultsOf(metadata, keys, provider), keys },
      authorizationEndpoint: metadata.authorization_endpoint ?? '',
      tokenEndpoint: metadata.token_endpoint ?? '',
      hasBackchannelLogout: metadata['backchannel_logout_supported'] === true,
    };
  } catch (error) {
    const fault = error instanceof BadRequestError ? error.message : faultOf(error);
    return { ...nothing, faults: [fault.slice(0, MAX_FAULT_LENGTH)] };
  }
}

async function countKeys(ctx: Context, address: string): Promise<number> {
  const answer = await fetchOutside(ctx.outside)(address, { headers: { accept: 'application/json' } });
  const { keys } = (await answer.json()) as { keys?: unknown };
  return Array.isArray(keys) ? keys.length : 0;
}

function faultsOf(
  metadata: { readonly [name: string]: unknown },
  keys: number,
  { scopes, sealedSecret }: Provider,
): string[] {
  const lacks = (name: string, wanted: string) => Array.isArray(metadata[name]) && !metadata[name].includes(wanted);
  const unknown = scopes.filter((scope) => lacks('scopes_supported', scope));
  const isPublic = sealedSecret === null;
  return [
    ...(keys === 0 ? ['The provider has no keys to sign with.'] : []),
    ...(lacks('response_types_supported', 'code') ? ['The provider does not offer the authorization code flow.'] : []),
    ...(lacks('code_challenge_methods_supported', 'S256') ? ['The provider does not offer PKCE with S256.'] : []),
    ...(isPublic && lacks('token_endpoint_auth_methods_supported', 'none')
      ? ['The provider expects a client secret.']
      : []),
    ...(unknown.length > 0 ? [`The provider does not list these scopes: ${unknown.join(', ')}.`] : []),
  ];
}
