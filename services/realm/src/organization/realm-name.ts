import { BadRequestError } from '@parley/shared/errors';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { codePointLength, findForbiddenCharacter, findForbiddenInLines, LIMITS } from '@parley/shared/values';

/** The normalized name of an organization. */
export function realmNameFromInput(text: string): string {
  const name = text.trim();
  if (name === '') throw new BadRequestError(REFUSAL.organization.nameBlank);
  if (codePointLength(name) > LIMITS.realmNameLength) {
    throw new BadRequestError(`name is too long (limit: ${LIMITS.realmNameLength} characters)`);
  }
  const position = findForbiddenCharacter(name);
  if (position !== null) throw new BadRequestError(REFUSAL.organization.nameCharacter(String(position)));
  return name;
}

/** The normalized description of an organization; may have several lines. */
export function realmDescriptionFromInput(text: string): string {
  const description = text.trim();
  if (codePointLength(description) > LIMITS.realmDescriptionLength) {
    throw new BadRequestError(`description is too long (limit: ${LIMITS.realmDescriptionLength} characters)`);
  }
  const position = findForbiddenInLines(description);
  if (position !== null) throw new BadRequestError(`Invalid character in description, at position ${position}.`);
  return description;
}

const MIN_LENGTH = 3;
const MAX_LENGTH = 40;

/** The normalized subdomain; the empty one is the root domain. */
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
