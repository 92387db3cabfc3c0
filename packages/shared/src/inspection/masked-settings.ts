import type { InspectedSetting } from '../proto';

const MASK = '***';
const IS_SECRET = /SECRET|PASSWORD|TOKEN|_KEY$|KEY_ID$|AUTHORIZATION/;

/** The settings of a process, as they were read, without anything that opens something. Called by serveInspection(). */
export function maskedSettings(config: Readonly<Record<string, unknown>>): InspectedSetting[] {
  return Object.entries(config)
    .filter(([name, value]) => /^[A-Z0-9_]+$/.test(name) && value !== undefined)
    .map(([name, value]) => ({ name, value: masked(name, value) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A setting's value as it may be shown: of an address only where it leads. */
export function masked(name: string, value: unknown): string {
  if (IS_SECRET.test(name)) return MASK;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)([^\s"]*)/gi, (_address, scheme: string, rest: string) => {
    const authority = rest.split(/[/?#]/, 1)[0] as string;
    const hasMore = rest.length > authority.length;
    // A password may have slashes in it that nobody has encoded: then nothing but the scheme is certain.
    if (rest.slice(authority.length).includes('@')) return `${scheme}${MASK}`;
    const at = authority.lastIndexOf('@');
    return `${scheme}${at < 0 ? '' : `${MASK}@`}${authority.slice(at + 1)}${hasMore ? `/${MASK}` : ''}`;
  });
}
