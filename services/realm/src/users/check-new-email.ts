import type { Sql } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { listAllowedDomainsOf } from '../domains/allowed-domains.sql';
import { loadRealmSettings } from '../realms/realm-settings.sql';
import { type EmailObjection, objectionToEmail } from './email-policy';
import { findUsersByAddresses } from './users.sql';

const TEXTS: Readonly<Record<EmailObjection, (email: string) => string>> = {
  domain: (email) => `Email '${email}' not allowed in this organization`,
  disposable: () => 'Disposable email addresses are not allowed in this organization',
  plus: () => 'Email addresses containing + are not allowed.',
};

/** Refuses an address that the organization does not take, or that an account has already. */
export async function checkNewEmail(sql: Sql, realmId: number, email: string): Promise<void> {
  const settings = await loadRealmSettings(sql, realmId);
  const objection = objectionToEmail(email, { settings, domains: await listAllowedDomainsOf(sql, realmId) });
  if (objection !== null) throw new BadRequestError(TEXTS[objection](email));
  const holders = await findUsersByAddresses(sql, realmId, [email]);
  if (holders.length > 0) throw emailInUse();
}

export function emailInUse(): BadRequestError {
  return new BadRequestError('Email is already in use.');
}
