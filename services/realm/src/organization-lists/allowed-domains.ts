import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import {
  allowedDomainAdded,
  allowedDomainChanged,
  allowedDomainRemoved,
  type DomainEvent,
  realmPropertyChanged,
} from '@parley/shared/events';
import type {
  AddAllowedDomainRequest,
  AllowedDomain,
  AllowedDomains,
  RemoveAllowedDomainRequest,
  RemoveAllowedDomainResponse,
  UpdateAllowedDomainRequest,
  UpdateAllowedDomainResponse,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { requireOwner } from '../base/guards';
import type { Context } from '../context';
import { changeOrganization } from '../organization/change-organization';
import { loadRealmSettings, storeRealmSettings } from '../organization/realms.sql';
import { listAllowedDomainsOf } from './allowed-domains.sql';

/** The domains whose addresses may join, if the organization restricts them. For everybody. */
export async function listAllowedDomains(ctx: Context, { realmId }: Caller): Promise<AllowedDomains> {
  return { domains: await listAllowedDomainsOf(ctx.db, realmId) };
}

const MAX_DOMAINS = 500;

export async function addAllowedDomain(
  ctx: Context,
  caller: Caller,
  request: AddAllowedDomainRequest,
): Promise<AllowedDomain> {
  return changeOrganization(ctx, caller, requireOwner, async (tx, { realmId }, prisma) => {
    const added = { domain: domainFromInput(request.domain), allowsSubdomains: request.allowsSubdomains };
    const domains = await listAllowedDomainsOf(tx, realmId);
    if (domains.some(({ domain }) => domain === added.domain)) {
      throw new BadRequestError(REFUSAL.lists.domainTaken(added.domain));
    }
    if (domains.length >= MAX_DOMAINS) throw new BadRequestError(`Too many domains (limit: ${MAX_DOMAINS})`);
    const { id } = await prisma.allowedDomain.create({ data: { realmId, ...added } });
    await announce(tx, allowedDomainAdded(realmId, added));
    return { id, ...added };
  });
}

/** Allows or forbids subdomains of an allowed domain. */
export async function updateAllowedDomain(
  ctx: Context,
  caller: Caller,
  request: UpdateAllowedDomainRequest,
): Promise<UpdateAllowedDomainResponse> {
  return changeOrganization(ctx, caller, requireOwner, async (tx, { realmId }, prisma) => {
    const { id, domain, allowsSubdomains } = findAllowedDomain(await listAllowedDomainsOf(tx, realmId), request.domain);
    if (allowsSubdomains === request.allowsSubdomains) return {};
    const changed = { domain, allowsSubdomains: request.allowsSubdomains };
    await prisma.allowedDomain.update({ where: { realmId_id: { realmId, id } }, data: changed });
    await announce(tx, allowedDomainChanged(realmId, changed));
    return {};
  });
}

export async function removeAllowedDomain(
  ctx: Context,
  caller: Caller,
  request: RemoveAllowedDomainRequest,
): Promise<RemoveAllowedDomainResponse> {
  return changeOrganization(ctx, caller, requireOwner, async (tx, { realmId }, prisma) => {
    const domains = await listAllowedDomainsOf(tx, realmId);
    const { id, domain } = findAllowedDomain(domains, request.domain);
    const others = domains.filter((other) => other.id !== id);
    await prisma.allowedDomain.delete({ where: { realmId_id: { realmId, id } } });
    const lifted = others.length > 0 ? [] : await liftRestriction(tx, realmId);
    await announce(tx, allowedDomainRemoved(realmId, { domain }), ...lifted);
    return {};
  });
}

/** Ends the restriction when no domain is left, as nobody could join any more; returns the events to announce. */
async function liftRestriction(tx: Transaction, realmId: number): Promise<DomainEvent[]> {
  const { emails_restricted_to_domains: isRestricted } = await loadRealmSettings(tx, realmId);
  if (!isRestricted) return [];
  await storeRealmSettings(tx, realmId, { emails_restricted_to_domains: false });
  return [realmPropertyChanged(realmId, { name: 'emails_restricted_to_domains', value: false })];
}

/** The organization's entry for that domain. */
function findAllowedDomain(domains: readonly AllowedDomain[], domain: string): AllowedDomain {
  const wanted = domain.trim().toLowerCase();
  const found = domains.find((candidate) => candidate.domain === wanted);
  if (!found) throw new BadRequestError(`No entry found for domain ${domain}.`);
  return found;
}

const MAX_LENGTH = 255;

/** The normalized domain: trimmed, in lower case. */
export function domainFromInput(text: string): string {
  const domain = text.trim().toLowerCase();
  const problem = problemOf(domain);
  if (problem !== null) throw new BadRequestError(REFUSAL.lists.domain(problem));
  return domain;
}

function problemOf(domain: string): string | null {
  if (domain === '') return "Domain can't be empty.";
  if (!domain.includes('.')) return 'Domain must have at least one dot (.)';
  if (domain.length > MAX_LENGTH) return 'Domain is too long';
  if (/^\.|\.$/.test(domain)) return 'Domain cannot start or end with a dot (.)';
  for (const label of domain.split('.')) {
    if (label === '') return "Consecutive '.' are not allowed.";
    if (/^-|-$/.test(label)) return "Subdomains cannot start or end with a '-'.";
    if (!/^[a-z0-9-]+$/.test(label)) return "Domain can only have letters, numbers, '.' and '-'s.";
  }
  return null;
}
