import { BadRequestError, NotFoundError } from '@parley/shared/errors';
import type { OidcGroupRule, OidcProviderSettings, OidcRoleRule } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { possibleIds } from '../base/possible-values';
import { openSecret, sealSecret } from '../base/sealed-secret';
import type { Tables } from '../context';

/** A provider with its secret, encrypted. */
export interface Provider extends OidcProviderSettings {
  realmId: number;
  id: number;
  sealedSecret: Uint8Array | null;
}

type Row = NonNullable<Awaited<ReturnType<Tables['oidcProvider']['findUnique']>>>;

function providerOf({ groupRules, roleRules, ...row }: Row): Provider {
  return {
    ...row,
    groupRules: groupRules as unknown as OidcGroupRule[],
    roleRules: roleRules as unknown as OidcRoleRule[],
  };
}

/** The organization's providers, by id. */
export async function listProviders(prisma: Tables, realmId: number): Promise<Provider[]> {
  return (await prisma.oidcProvider.findMany({ where: { realmId }, orderBy: { id: 'asc' } })).map(providerOf);
}

/** Throws NOT_FOUND. */
export async function findProvider(prisma: Tables, realmId: number, providerId: number): Promise<Provider> {
  const [id] = possibleIds([providerId]);
  const row =
    id === undefined ? null : await prisma.oidcProvider.findUnique({ where: { realmId_id: { realmId, id } } });
  if (row === null) throw new NotFoundError(REFUSAL.providers.unknown);
  return providerOf(row);
}

/** The source's name for memberships, see directory. */
export function sourceOf({ realmId, id }: Pick<Provider, 'realmId' | 'id'>): { realmId: number; source: string } {
  return { realmId, source: `oidc:${id}` };
}

const purposeOf = (realmId: number, issuer: string) => `client secret of ${realmId} at ${issuer}` as const;

/** Encrypted for this issuer: a provider that gets another issuer needs its secret anew, so that none goes elsewhere. */
export function sealClientSecret(
  secret: string,
  { realmId, issuer }: Pick<Provider, 'realmId' | 'issuer'>,
  text: string,
): Uint8Array<ArrayBuffer> {
  return new Uint8Array(sealSecret(secret, purposeOf(realmId, issuer), text));
}

/** Null: a public client. Throws BAD_REQUEST if the service's secret is not the one that encrypted it. */
export function secretOf(secret: string, { realmId, issuer, sealedSecret }: Provider): string | null {
  if (sealedSecret === null) return null;
  const text = openSecret(secret, purposeOf(realmId, issuer), sealedSecret);
  if (text === null) throw new BadRequestError(REFUSAL.providers.sealedElsewhere);
  return text;
}
