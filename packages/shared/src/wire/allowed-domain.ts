import type { AllowedDomain } from '../proto';

/** The API's object for a domain whose addresses may join. */
export function publicAllowedDomain(entry: Omit<AllowedDomain, 'id'>) {
  return { domain: entry.domain, allow_subdomains: entry.allowsSubdomains };
}
