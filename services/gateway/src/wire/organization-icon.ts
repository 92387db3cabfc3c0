import { createHash } from 'node:crypto';

/** The organization's picture: a pattern made from its address, until it can have one of its own. */
export function organizationIcon(origin: string): string {
  const hash = createHash('md5').update(origin.toLowerCase()).digest('hex');
  return `https://secure.gravatar.com/avatar/${hash}?d=identicon&version=1`;
}
