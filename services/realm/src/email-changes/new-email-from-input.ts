import type { Sql } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { InviteAddress, User } from '@parley/shared/proto';
import { isAdministrator, type RealmSettings } from '@parley/shared/values';
import { listAllowedDomainsOf } from '../domains/allowed-domains.sql';
import { addressFacts } from '../invite-facts/address-facts';
import { loadRealmSettings } from '../realms/realm-settings.sql';

const OBJECTIONS: Readonly<Record<string, string>> = {
  invalid: 'Invalid address.',
  domain: 'Outside your domain.',
  disposable: 'Please use your real email address.',
  plus: 'Email addresses containing + are not allowed.',
};
const HOLDERS: Readonly<Record<string, string>> = {
  'system-bot': 'Reserved for system bots.',
  active: 'Already has an account.',
  deactivated: 'Account has been deactivated.',
};

/** The address that somebody wants for their own account; null: the one they have. */
export async function newEmailFromInput(sql: Sql, own: User, text: string): Promise<string | null> {
  const email = text.trim();
  if (email === own.deliveryEmail) return null;
  const settings = await loadRealmSettings(sql, own.realmId);
  requireMayChangeOwnEmail(own, settings);
  const domains = await listAllowedDomainsOf(sql, own.realmId);
  const [facts] = (await addressFacts(sql, own.realmId, { settings, domains }, [email])) as [InviteAddress];
  // Another casing of an address is the same account's.
  const isOwn = email.toLowerCase() === own.deliveryEmail.toLowerCase();
  const objection = OBJECTIONS[facts.objection] ?? (isOwn ? undefined : HOLDERS[facts.holder]);
  if (objection !== undefined) throw new BadRequestError(objection);
  return email;
}

export function requireMayChangeOwnEmail(
  { role }: Pick<User, 'role'>,
  settings: Pick<RealmSettings, 'email_changes_disabled'>,
): void {
  if (settings.email_changes_disabled && !isAdministrator(role)) {
    throw new BadRequestError('Email address changes are disabled in this organization.');
  }
}
