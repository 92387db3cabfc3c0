import type { Sql, Transaction } from '@parley/shared/db';
import { BadRequestError, EmailInUseError } from '@parley/shared/errors';
import { type Audience, type DomainEvent, emailChanged } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { EMAIL_VISIBLE_TO, isEmailVisibleTo, ROLE_VALUES } from '@parley/shared/values';
import { audienceWithout, listStrangersToChange, NOBODY } from '../accounts/accessible-users';
import { type EmailObjection, emailFromInput, objectionToEmail, shownEmail } from '../accounts/email-address';
import { findUsersByAddresses, listActiveUserIdsOfRoles, storeEmails } from '../accounts/users.sql';
import { botManagerIds } from '../bot-owners/bot-manager-ids';
import { loadRealmSettings } from '../organization/realms.sql';
import { listAllowedDomainsOf } from '../organization-lists/allowed-domains.sql';

/** Changes an account's real address; returns the events to announce. The caller has checked permissions. */
export async function changeEmail(tx: Transaction, user: User, text: string): Promise<DomainEvent[]> {
  const { id: userId, realmId } = user;
  const deliveryEmail = newEmailFromInput(text);
  if (deliveryEmail === user.deliveryEmail) return [];
  // A different casing is not taken by another account.
  if (deliveryEmail.toLowerCase() !== user.deliveryEmail.toLowerCase()) await checkNewEmail(tx, realmId, deliveryEmail);
  const changed = { ...user, deliveryEmail };
  changed.email = user.isBot ? deliveryEmail : shownEmail(changed, user.emailAddressVisibility);
  await storeEmails(tx, realmId, userId, changed);
  const strangerIds = await listStrangersToChange(tx, user);
  const { seers } = await emailAudiences(tx, changed, strangerIds);
  const audience: Audience = changed.email === user.email ? NOBODY : audienceWithout(strangerIds);
  const managerIds = user.isBot ? await botManagerIds(tx, realmId, userId) : [];
  return [emailChanged(realmId, { userId, user: changed, seers, audience, managerIds })];
}

function newEmailFromInput(text: string): string {
  try {
    return emailFromInput(text);
  } catch {
    throw new BadRequestError(REFUSAL.people.newAddress);
  }
}

const TEXTS: Readonly<Record<EmailObjection, (email: string) => string>> = {
  domain: (email) => `Email '${email}' not allowed in this organization`,
  disposable: () => 'Disposable email addresses are not allowed in this organization',
  plus: () => 'Email addresses containing + are not allowed.',
};

/** Refuses an address against the organization's rules, or of another account. */
export async function checkNewEmail(sql: Sql, realmId: number, email: string): Promise<void> {
  const [objection] = await objectionsToNewEmails(sql, realmId, [email]);
  if (objection) throw objection;
}

/** Why each of the addresses is refused; null: it is not. A repeated address is taken. */
export async function objectionsToNewEmails(
  sql: Sql,
  realmId: number,
  emails: readonly string[],
): Promise<(BadRequestError | null)[]> {
  const settings = await loadRealmSettings(sql, realmId);
  const domains = await listAllowedDomainsOf(sql, realmId);
  const holders = await findUsersByAddresses(sql, realmId, emails);
  const taken = new Set(holders.flatMap(({ email, deliveryEmail }) => [email, deliveryEmail]).map(keyOf));
  return emails.map((email) => {
    const objection = objectionToEmail(email, { settings, domains });
    if (objection !== null) return new BadRequestError(TEXTS[objection](email));
    if (taken.has(keyOf(email))) return new EmailInUseError();
    taken.add(keyOf(email));
    return null;
  });
}

function keyOf(email: string): string {
  return email.toLowerCase();
}

/**
 * Divides the users who may see the user into those who see the real address and the others. Lists the smaller part: the others where
 * most see it, as members are many.
 */
export async function emailAudiences(
  sql: Sql,
  user: User,
  strangerIds: readonly number[],
): Promise<{ seers: Audience; others: Audience }> {
  return (await emailAudiencesAt(sql, user.realmId, user.emailAddressVisibility))(user, strangerIds);
}

/** The same for any number of users whose addresses have that visibility. */
export async function emailAudiencesAt(
  sql: Sql,
  realmId: number,
  visibility: number,
): Promise<(user: Pick<User, 'id'>, strangerIds: readonly number[]) => { seers: Audience; others: Audience }> {
  if (visibility === EMAIL_VISIBLE_TO.everyone) {
    return (_user, strangerIds) => ({ seers: audienceWithout(strangerIds), others: NOBODY });
  }
  const areSeersFew = visibility !== EMAIL_VISIBLE_TO.members;
  const roles = ROLE_VALUES.filter((role) => isEmailVisibleTo(role, visibility) === areSeersFew);
  const found = roles.length === 0 ? [] : await listActiveUserIdsOfRoles(sql, realmId, roles);
  return ({ id }, strangerIds) => divided(found, areSeersFew, id, strangerIds);
}

function divided(found: readonly number[], areSeersFew: boolean, id: number, strangerIds: readonly number[]) {
  const others = found.filter((userId) => userId !== id && !strangerIds.includes(userId));
  const few = { to: 'users' as const, userIds: areSeersFew ? [...others, id] : others };
  const many = audienceWithout([...strangerIds, ...few.userIds]);
  return areSeersFew ? { seers: few, others: many } : { seers: many, others: few };
}
