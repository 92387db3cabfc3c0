import { subdomainFinder } from '../http/find-subdomain';

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** The subdomain that a person means: typed alone, or as an address at or below `externalHost`. Null: an address elsewhere. */
export function subdomainNamed(typed: string, externalHost: string): string | null {
  const text = typed.trim().toLowerCase();
  if (LABEL.test(text)) return text;
  const address = /^https?:\/\//.test(text) ? text : `http://${text}`;
  if (!URL.canParse(address)) return null;
  const { host, hostname } = new URL(address);
  const subdomain = subdomainFinder(externalHost)(host);
  if (subdomain !== '') return LABEL.test(subdomain) ? subdomain : null;
  return hostname === new URL(`http://${externalHost}`).hostname ? '' : null;
}
