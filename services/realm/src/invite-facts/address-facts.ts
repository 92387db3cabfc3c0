import type { Sql } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { InviteAddress, User } from '@parley/shared/proto';
import { emailFromInput } from '../users/email-address';
import { objectionToEmail } from '../users/email-policy';
import { findUsersByAddresses } from '../users/users.sql';
import type { InvitingOrganization } from './invite-facts.sql';

/** What is to be known of addresses before accounts are made for them: one answer each, in order. */
export async function addressFacts(
  sql: Sql,
  realmId: number,
  organization: Pick<InvitingOrganization, 'settings' | 'domains'>,
  texts: readonly string[],
): Promise<InviteAddress[]> {
  const emails = texts.map(readEmail);
  const holders = await findHolders(
    sql,
    realmId,
    emails.filter((email) => email !== null),
  );
  return emails.map((email) =>
    email === null
      ? { objection: 'invalid', holder: '' }
      : { objection: objectionToEmail(email, organization) ?? '', holder: holders.get(email.toLowerCase()) ?? '' },
  );
}

function readEmail(text: string): string | null {
  try {
    return emailFromInput(text);
  } catch (error) {
    if (error instanceof BadRequestError) return null;
    throw error;
  }
}

async function findHolders(sql: Sql, realmId: number, emails: readonly string[]): Promise<Map<string, string>> {
  const users = emails.length === 0 ? [] : await findUsersByAddresses(sql, realmId, emails);
  return new Map(
    users.flatMap((user) => [user.email, user.deliveryEmail].map((email) => [email.toLowerCase(), holderOf(user)])),
  );
}

function holderOf({ isSystemBot, isActive }: User): string {
  if (isSystemBot) return 'system-bot';
  return isActive ? 'active' : 'deactivated';
}
