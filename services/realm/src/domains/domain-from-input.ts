import { BadRequestError } from '@parley/shared/errors';

const MAX_LENGTH = 255;

/** The domain that a sent text means: without space around it, in lower case. */
export function domainFromInput(text: string): string {
  const domain = text.trim().toLowerCase();
  const problem = problemOf(domain);
  if (problem !== null) throw new BadRequestError(`Invalid domain: ${problem}`);
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
