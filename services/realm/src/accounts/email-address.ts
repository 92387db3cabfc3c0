import { BadRequestError } from '@parley/shared/errors';
import type { AllowedDomain, User } from '@parley/shared/proto';
import { dummyEmail, EMAIL_VISIBLE_TO, isEmailAddress, type RealmSettings } from '@parley/shared/values';
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';

/** The address that a sent text means; its casing is kept. */
export function emailFromInput(text: string): string {
  const email = text.trim();
  if (!isEmailAddress(email)) throw new BadRequestError('Enter a valid email address.');
  return email;
}

/** The organization's rules for addresses of new accounts. */
interface EmailPolicy {
  settings: Pick<RealmSettings, 'emails_restricted_to_domains' | 'disallow_disposable_email_addresses'>;
  domains: readonly Pick<AllowedDomain, 'domain' | 'allowsSubdomains'>[];
}

/** Why an address will not do: its domain is not allowed; it ends soon; it is one of many of the same person. */
export type EmailObjection = 'domain' | 'disposable' | 'plus';

/** The reason to refuse an address, or null. Where an organization lists allowed domains, only that list counts. */
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

/** Services that give everybody an address for some minutes: a kept list of thousands, which comes with the package. */
const DISPOSABLE_DOMAINS: ReadonlySet<string> = disposableEmailBlocklistSet();

/** Whether addresses of the domain, or of the one it is below, end soon. */
function isDisposableDomain(domain: string): boolean {
  const labels = domain.split('.');
  return labels.some((_label, index) => DISPOSABLE_DOMAINS.has(labels.slice(index).join('.')));
}

/** The address that the API shows of an account: the real one when everyone may see it, else a made-up one. */
export function shownEmail({ id, deliveryEmail }: Pick<User, 'id' | 'deliveryEmail'>, visibility: number): string {
  return visibility === EMAIL_VISIBLE_TO.everyone ? deliveryEmail : dummyEmail(id);
}
