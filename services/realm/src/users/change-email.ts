import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { type Audience, type DomainEvent, emailChanged } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { audienceWithout, listStrangerIds, NOBODY } from './accessible-users';
import { checkNewEmail } from './check-new-email';
import { emailFromInput } from './email-address';
import { emailAudiences } from './email-audiences';
import { shownEmail } from './shown-email';
import { storeEmails } from './users.sql';

/** Gives an account another real address; returns what is to be announced. Whether the caller may do this has been decided. */
export async function changeEmail(tx: Transaction, user: User, text: string): Promise<DomainEvent[]> {
  const { id: userId, realmId } = user;
  const deliveryEmail = newEmailFromInput(text);
  if (deliveryEmail === user.deliveryEmail) return [];
  // Another casing of an address is the same account's.
  if (deliveryEmail.toLowerCase() !== user.deliveryEmail.toLowerCase()) await checkNewEmail(tx, realmId, deliveryEmail);
  const changed = { ...user, deliveryEmail };
  changed.email = user.isBot ? deliveryEmail : shownEmail(changed, user.emailAddressVisibility);
  await storeEmails(tx, realmId, userId, changed);
  const strangerIds = await listStrangerIds(tx, realmId, userId);
  const { seers } = await emailAudiences(tx, changed, strangerIds);
  const audience: Audience = changed.email === user.email ? NOBODY : audienceWithout(strangerIds);
  return [emailChanged(realmId, { userId, user: changed, seers, audience })];
}

function newEmailFromInput(text: string): string {
  try {
    return emailFromInput(text);
  } catch {
    throw new BadRequestError('Invalid new email address.');
  }
}
