import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { MissingParameterError, RealmDeactivatedError } from '@parley/shared/errors';
import { type DomainEvent, groupMembersAdded } from '@parley/shared/events';
import type { InvitedAccount, OpenInvitedAccountRequest } from '@parley/shared/proto';
import { issueApiKey } from '../api-keys/issue-api-key';
import type { Context } from '../context';
import { insertMembers } from '../groups/group-members.sql';
import { listAdministrators } from '../invite-facts/invite-facts.sql';
import { welcomeEvents } from '../notices/welcome';
import { lockRealm } from '../realms/lock-realm.sql';
import { loadRealmSettings } from '../realms/realm-settings.sql';
import { isUniqueViolation } from '../unique-violation';
import { checkNameIsFree } from '../users/check-name-is-free';
import { checkNewEmail, emailInUse } from '../users/check-new-email';
import { fullNameFromInput } from '../users/full-name';
import { type Account, openAccount } from '../users/open-account';
import { checkPassword, hashPassword, isPassword } from '../users/password';
import { EMAIL_IS_UNIQUE } from '../users/users.sql';
import { beginningFromInput } from './beginning-from-input';
import {
  findInvitedAccount,
  insertInvitedAccount,
  isRealmDeactivated,
  type KnownAccount,
  listOpenGroupIds,
} from './invited-accounts.sql';
import { arrivalEvents, referrerEvents } from './join-notices';

type Opened = Omit<InvitedAccount, 'administratorIds'>;

/**
 * Makes the account of an invitation, once: whoever asks again with the account's password is answered as before, with one API
 * key more, and everybody else without a key.
 */
export async function openInvitedAccount(ctx: Context, request: OpenInvitedAccountRequest): Promise<InvitedAccount> {
  const { realmId, invitationId } = request;
  if (await isRealmDeactivated(ctx.db, realmId)) throw new RealmDeactivatedError();
  const known = await findInvitedAccount(ctx.db, realmId, invitationId);
  const opened = known ? await answerAgain(ctx, request, known) : await openFirst(ctx, request);
  return { ...opened, administratorIds: await listAdministrators(ctx.db, realmId) };
}

async function answerAgain(
  ctx: Context,
  { realmId, password }: OpenInvitedAccountRequest,
  { userId, isActive, email, deliveryEmail, passwordHash }: KnownAccount,
): Promise<Opened> {
  const account = { userId, email, deliveryEmail };
  if (!isActive || !(await isPassword(password ?? '', passwordHash))) return account;
  const holder = { realmId, userId, createdAtMs: ctx.clock.now() };
  return { ...account, apiKey: await ctx.db.transaction((tx) => issueApiKey(tx, holder)) };
}

async function openFirst(ctx: Context, request: OpenInvitedAccountRequest): Promise<Opened> {
  try {
    const account = await accountFromInput(ctx, request);
    const opened = await ctx.db.transaction(async (tx) => {
      await lockRealm(tx, request.realmId);
      // Asked once more: who has sent the same twice at once waited here.
      const known = await findInvitedAccount(tx, request.realmId, request.invitationId);
      return known ?? open(tx, request, account);
    });
    return 'isActive' in opened ? await answerAgain(ctx, request, opened) : opened;
  } catch (error) {
    // The same request may have made the account meanwhile, which has the name and the address now.
    const known = await findInvitedAccount(ctx.db, request.realmId, request.invitationId);
    if (known) return answerAgain(ctx, request, known);
    throw EMAIL_IS_UNIQUE.some((index) => isUniqueViolation(error, index)) ? emailInUse() : error;
  }
}

async function accountFromInput(ctx: Context, request: OpenInvitedAccountRequest): Promise<Account> {
  const { realmId, email, role, password } = request;
  const { db, clock } = ctx;
  const fullName = fullNameFromInput(request.fullName);
  await checkNameIsFree(db, realmId, fullName, null);
  await checkNewEmail(db, realmId, email);
  const { authentication_methods: methods } = await loadRealmSettings(db, realmId);
  if (password === undefined && methods.Email) throw new MissingParameterError('password');
  if (password !== undefined) checkPassword(password);
  const beginning = await beginningFromInput(db, request);
  const passwordHash = password === undefined ? null : await hashPassword(password);
  return { realmId, email, fullName, role, bot: null, passwordHash, createdAtMs: clock.now(), beginning };
}

async function open(tx: Transaction, request: OpenInvitedAccountRequest, account: Account): Promise<Opened> {
  const { realmId, invitationId, referrerId } = request;
  if (await isRealmDeactivated(tx, realmId)) throw new RealmDeactivatedError();
  const { newAccount, events, user } = await openAccount(tx, account);
  const { id: userId, email, deliveryEmail } = user;
  await insertInvitedAccount(tx, realmId, invitationId, userId);
  await announce(
    tx,
    ...events,
    ...(await joinGroups(tx, realmId, userId, request.groupIds)),
    ...(await arrivalEvents(tx, realmId, user)),
    ...(request.notifiesReferrer ? await referrerEvents(tx, realmId, referrerId, user) : []),
    ...(await welcomeEvents(tx, realmId, user, request.welcomeText)),
  );
  return { userId, email, deliveryEmail, apiKey: newAccount.apiKey };
}

async function joinGroups(
  tx: Transaction,
  realmId: number,
  userId: number,
  invitedToIds: readonly number[],
): Promise<DomainEvent[]> {
  const groupIds = await listOpenGroupIds(tx, realmId, invitedToIds);
  for (const groupId of groupIds) await insertMembers(tx, realmId, groupId, [userId]);
  return groupIds.map((groupId) => groupMembersAdded(realmId, { groupId, isDeactivated: false, userIds: [userId] }));
}
