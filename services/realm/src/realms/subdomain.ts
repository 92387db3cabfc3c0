import { BadRequestError } from '@parley/shared/errors';

const MIN_LENGTH = 3;
const MAX_LENGTH = 40;

/** The subdomain that a sent text means; the empty one is the root domain. */
export function subdomainFromInput(subdomain: string): string {
  if (subdomain === '') return subdomain;
  if (subdomain.length < MIN_LENGTH) {
    throw new BadRequestError(`Subdomain needs to have length ${MIN_LENGTH} or greater.`);
  }
  if (subdomain.length > MAX_LENGTH) throw new BadRequestError(`Subdomain too long (limit: ${MAX_LENGTH} characters).`);
  if (!/^[a-z0-9-]+$/.test(subdomain)) {
    throw new BadRequestError("Subdomain can only have lowercase letters, numbers, and '-'s.");
  }
  if (/^-|-$/.test(subdomain)) throw new BadRequestError("Subdomain cannot start or end with a '-'.");
  return subdomain;
}
