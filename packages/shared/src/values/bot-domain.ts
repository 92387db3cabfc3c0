const NAME = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])?$/i;

/** Nobody gets mail there: the top-level domain is reserved for names that lead nowhere. */
const FAKE_DOMAIN = 'bots.invalid';

/** What the addresses of an organization's bots end with: its host, unless that is no domain of addresses (has a port, is a number). */
export function botDomain(subdomain: string, externalHost: string): string {
  const host = subdomain === '' ? externalHost : `${subdomain}.${externalHost}`;
  return NAME.test(host) ? host : FAKE_DOMAIN;
}
