import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';

/** Services that give everybody an address for some minutes: a kept list of thousands, which comes with the package. */
const DISPOSABLE_DOMAINS: ReadonlySet<string> = disposableEmailBlocklistSet();

/** Whether addresses of the domain, or of the one it is below, end soon. */
export function isDisposableDomain(domain: string): boolean {
  const labels = domain.split('.');
  return labels.some((_label, index) => DISPOSABLE_DOMAINS.has(labels.slice(index).join('.')));
}
