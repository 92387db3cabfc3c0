import type { AllowedDomain } from '@parley/shared/proto';
import type { RealmSettings } from '@parley/shared/values';
import { isDisposableDomain } from './disposable-domains';

/** What an organization demands of the addresses of new accounts. */
export interface EmailPolicy {
  settings: Pick<RealmSettings, 'emails_restricted_to_domains' | 'disallow_disposable_email_addresses'>;
  domains: readonly Pick<AllowedDomain, 'domain' | 'allowsSubdomains'>[];
}

/** Why an address will not do: its domain is not allowed; it ends soon; it is one of many of the same person. */
export type EmailObjection = 'domain' | 'disposable' | 'plus';

/** What speaks against an address; null: nothing. Organizations that allow some domains only look at nothing else. */
export function objectionToEmail(email: string, { settings, domains }: EmailPolicy): EmailObjection | null {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1).toLowerCase();
  if (!settings.emails_restricted_to_domains) {
    return settings.disallow_disposable_email_addresses && isDisposableDomain(domain) ? 'disposable' : null;
  }
  if (email.slice(0, at).includes('+')) return 'plus';
  const isAllowed = domains.some(
    (allowed) => domain === allowed.domain || (allowed.allowsSubdomains && domain.endsWith(`.${allowed.domain}`)),
  );
  return isAllowed ? null : 'domain';
}
