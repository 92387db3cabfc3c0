import { BadRequestError } from '@parley/shared/errors';
import type { AllowedDomain } from '@parley/shared/proto';

/** The entry for that domain among those of the organization. */
export function findAllowedDomain(domains: readonly AllowedDomain[], domain: string): AllowedDomain {
  const wanted = domain.trim().toLowerCase();
  const found = domains.find((candidate) => candidate.domain === wanted);
  if (!found) throw new BadRequestError(`No entry found for domain ${domain}.`);
  return found;
}
