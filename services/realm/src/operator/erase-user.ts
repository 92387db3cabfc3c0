import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { type DomainEvent, emailChanged, profileValueChanged, userStatusChanged } from '@parley/shared/events';
import type { ErasedUser, EraseUserRequest, User } from '@parley/shared/proto';
import { audienceWithout, listStrangerIds, userAudience } from '../accounts/accessible-users';
import { findUser, storeEmails } from '../accounts/users.sql';
import { appendEntries } from '../audit/chain';
import { changeAvatar } from '../avatars/avatars';
import type { Context } from '../context';
import { getRealm } from '../organization/change-organization';
import { lockRealm } from '../organization/realms.sql';
import { emailAudiences } from '../people/change-email';
import { changeFullName } from '../people/full-name';
import { removeScimUser } from '../scim/users.sql';
import { deactivateAccount, isLastOwner } from '../users/deactivate-user';
import { findAccount } from './operated-accounts';
import { blankAccount, deletePersonalRows, deleteProfile } from './operator.sql';

/**
 * Deactivates a person's account with their bots, and anonymizes it: their messages stay, with a nameless sender. One transaction; each
 * change is announced. For the operator's command.
 */
export async function eraseUser(ctx: Context, requestId: string, request: EraseUserRequest): Promise<ErasedUser> {
  const { id: realmId } = await getRealm(ctx, request);
  const userId = await findPerson(ctx, realmId, request);
  await ctx.db.transaction(async (tx) => {
    await lockRealm(tx, realmId);
    const user = (await findUser(tx, realmId, userId)) as User;
    if (user.isBot) throw new BadRequestError('This is the account of a bot');
    if (await isLastOwner(tx, user)) throw new BadRequestError('The only owner of an organization cannot be erased');
    await deactivateAccount(ctx, tx, realmId, userId);
    const events = await eraseAll(ctx, tx, user);
    // A provider that knows the account by its id would give it the person's name and address again.
    await removeScimUser(tx, realmId, userId);
    if (events.length === 0) return;
    await announce(tx, ...events);
    const deed = { act: 'erase-user', actor: { kind: 'operator' as const }, requestId };
    const after = { messages: request.deletesMessages ? 'deleted' : 'kept' };
    await appendEntries(ctx, tx, realmId, deed, [{ subject: { kind: 'user', id: userId }, after }]);
  });
  return { realmId, userId };
}

async function findPerson(ctx: Context, realmId: number, { email, userId }: EraseUserRequest): Promise<number> {
  if (email !== undefined) return (await findAccount(ctx, realmId, email)).id;
  const user = userId === undefined ? null : await findUser(ctx.db, realmId, userId);
  if (!user) throw new BadRequestError('No such user');
  return user.id;
}

/** Returns the events to announce; none when everything was erased before. */
async function eraseAll({ config }: Context, tx: Transaction, user: User): Promise<DomainEvent[]> {
  const { realmId, id } = user;
  const email = `erased-user-${id}@${config.SYSTEM_BOT_DOMAIN}`;
  if (user.deliveryEmail === email) return [];
  const audience = await userAudience(tx, realmId, id);
  const fieldIds = await deleteProfile(tx, realmId, id);
  await deletePersonalRows(tx, realmId, id, user.deliveryEmail);
  await blankAccount(tx, realmId, id);
  const noStatus = { statusText: '', emoji: { name: '', code: '', reactionType: 'unicode_emoji' } };
  const fullName = `Erased user ${id}`;
  const named = { ...user, fullName };
  const pictured =
    user.avatarFileName === undefined ? { user: named, events: [] } : await changeAvatar(tx, named, null);
  return [
    ...(await changeFullName(tx, user, fullName)),
    ...(await giveEmail(tx, pictured.user, email)),
    ...pictured.events,
    ...fieldIds.map((fieldId) => profileValueChanged(realmId, { userId: id, audience, fieldId, value: null })),
    userStatusChanged(realmId, { userId: id, audience, ...noStatus }),
  ];
}

/** A placeholder address, exempt from the organization's rules. */
async function giveEmail(tx: Transaction, user: User, email: string): Promise<DomainEvent[]> {
  const { realmId, id: userId } = user;
  const changed = { ...user, deliveryEmail: email, email };
  await storeEmails(tx, realmId, userId, changed);
  const strangerIds = await listStrangerIds(tx, realmId, userId);
  const { seers } = await emailAudiences(tx, changed, strangerIds);
  return [emailChanged(realmId, { userId, user: changed, seers, audience: audienceWithout(strangerIds) })];
}
