import { BadRequestError } from '@parley/shared/errors';
import type { AllowedDomain, User } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { dummyEmail, EMAIL_VISIBLE_TO, isEmailAddress, type RealmSettings } from '@parley/shared/values';
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';

/** The normalized address, in its original casing. */
export function emailFromInput(text: string): string {
  const email = text.trim();
  if (!isEmailAddress(email)) throw new BadRequestError(REFUSAL.people.address);
  return email;
}

/** The organization's rules for addresses of new accounts. */
interface EmailPolicy {
  settings: Pick<RealmSettings, 'emails_restricted_to_domains' | 'disallow_disposable_email_addresses'>;
  domains: readonly Pick<AllowedDomain, 'domain' | 'allowsSubdomains'>[];
}

/** The reason to refuse an address: a domain that is not allowed, a disposable address, or an alias of an address (with `+`). */
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

/** Domains of disposable addresses, thousands of them; the package maintains the list. Read when the first address is checked. */
let disposableDomains: ReadonlySet<string> | undefined;

/** Whether the domain, or a parent domain, gives disposable addresses. */
function isDisposableDomain(domain: string): boolean {
  disposableDomains ??= disposableEmailBlocklistSet();
  const known = disposableDomains;
  const labels = domain.split('.');
  return labels.some((_label, index) => known.has(labels.slice(index).join('.')));
}

/** The address that the API shows of an account: the real one when everyone may see it, else a made-up one. */
export function shownEmail({ id, deliveryEmail }: Pick<User, 'id' | 'deliveryEmail'>, visibility: number): string {
  return visibility === EMAIL_VISIBLE_TO.everyone ? deliveryEmail : dummyEmail(id);
}
