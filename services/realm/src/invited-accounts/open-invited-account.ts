import { announce } from '@parley/shared/bus';
import type { Sql, Transaction } from '@parley/shared/db';
import {
  BadRequestError,
  EmailInUseError,
  MissingParameterError,
  NoSuchInvitationError,
  RealmDeactivatedError,
} from '@parley/shared/errors';
import { type DomainEvent, groupMembersAdded } from '@parley/shared/events';
import type {
  AcceptanceFacts,
  FindInvitedAccountRequest,
  FoundInvitedAccount,
  GetAcceptanceFactsRequest,
  InvitedAccount,
  OpenInvitedAccountRequest,
} from '@parley/shared/proto';
import { EMAIL_VISIBLE_TO, isGuest, ROLES, USER_SETTING_DEFAULTS } from '@parley/shared/values';
import { checkPassword, hashPassword, isPassword } from '../accounts/password';
import { maySignInByPassword } from '../accounts/permissions';
import { EMAIL_IS_UNIQUE } from '../accounts/users.sql';
import { type Actor, actorOf } from '../actors/actor';
import { findActor } from '../actors/actors.sql';
import { issueApiKey } from '../api-keys/api-keys';
import { possibleTexts } from '../base/possible-values';
import { isUniqueViolation } from '../base/unique-violation';
import type { Context } from '../context';
import { loadRealmGroupSettings } from '../group-settings/complete-settings';
import { addressFacts, groupFacts } from '../invite-facts/invite-facts';
import { listAdministrators, loadInvitingOrganization } from '../invite-facts/invite-facts.sql';
import { insertMembers } from '../membership/group-members.sql';
import { arrivalEvents, referrerEvents } from '../notices/join-notices';
import { welcomeEvents } from '../notices/welcome';
import { loadRealmSettings, lockRealm } from '../organization/realms.sql';
import { checkNewEmail } from '../people/change-email';
import { checkNameIsFree, fullNameFromInput } from '../people/full-name';
import { settingsFromInput, timezoneFromInput } from '../user-settings/settings-from-input';
import { findSettingsDefaults } from '../user-settings/user-settings.sql';
import { type Account, type Beginning, openAccount } from '../users/open-account';
import {
  insertInvitedAccount,
  isRealmDeactivated,
  type KnownAccount,
  listChannelsOfGroups,
  listOpenGroupIds,
  selectInvitedAccount,
} from './invited-accounts.sql';

type Opened = Omit<InvitedAccount, 'administratorIds'>;

/**
 * Creates the account of an invitation, once. A repeated request with the account's password gets the same answer with one more API key;
 * with another password, without a key.
 */
export async function openInvitedAccount(ctx: Context, request: OpenInvitedAccountRequest): Promise<InvitedAccount> {
  const { realmId, invitationId } = request;
  if (await isRealmDeactivated(ctx.db, realmId)) throw new RealmDeactivatedError();
  const known = await selectInvitedAccount(ctx.db, realmId, invitationId);
  const opened = known ? await answerAgain(ctx, request, known) : await openFirst(ctx, request);
  return { ...opened, administratorIds: await listAdministrators(ctx.db, realmId) };
}

async function answerAgain(
  ctx: Context,
  { realmId, password, role }: OpenInvitedAccountRequest,
  { userId, isActive, email, deliveryEmail, passwordHash }: KnownAccount,
): Promise<Opened> {
  const account = { userId, email, deliveryEmail };
  const isUsable = isActive && maySignInByPassword(await loadRealmSettings(ctx.db, realmId), role);
  if (!isUsable || !(await isPassword(password ?? '', passwordHash))) return account;
  const holder = { realmId, userId, createdAtMs: ctx.clock.now() };
  return { ...account, apiKey: await ctx.db.transaction((tx) => issueApiKey(tx, holder)) };
}

async function openFirst(ctx: Context, request: OpenInvitedAccountRequest): Promise<Opened> {
  try {
    const account = await accountFromInput(ctx, request);
    const opened = await ctx.db.transaction(async (tx) => {
      await lockRealm(tx, request.realmId);
      // Checked again under the lock: a concurrent repetition waited for it.
      const known = await selectInvitedAccount(tx, request.realmId, request.invitationId);
      return known ?? open(tx, request, account);
    });
    return 'isActive' in opened ? await answerAgain(ctx, request, opened) : opened;
  } catch (error) {
    // A concurrent repetition may have created the account, which now has the name and address.
    const known = await selectInvitedAccount(ctx.db, request.realmId, request.invitationId);
    if (known) return answerAgain(ctx, request, known);
    throw EMAIL_IS_UNIQUE.some((index) => isUniqueViolation(error, index)) ? new EmailInUseError() : error;
  }
}

async function accountFromInput(ctx: Context, request: OpenInvitedAccountRequest): Promise<Account> {
  const { realmId, email, role, password } = request;
  const { db, clock } = ctx;
  const fullName = fullNameFromInput(request.fullName);
  await checkNameIsFree(db, realmId, fullName, null);
  await checkNewEmail(db, realmId, email);
  const isNeeded = maySignInByPassword(await loadRealmSettings(db, realmId), ROLES.member);
  if (password === undefined && isNeeded) throw new MissingParameterError('password');
  if (password !== undefined) await checkPassword(password);
  const beginning = await beginningFromInput(db, request);
  const passwordHash = password === undefined ? null : await hashPassword(password);
  return { realmId, email, fullName, role, bot: null, passwordHash, createdAtMs: clock.now(), beginning };
}

async function open(tx: Transaction, request: OpenInvitedAccountRequest, account: Account): Promise<Opened> {
  const { realmId, invitationId, referrerId, groupIds } = request;
  if (await isRealmDeactivated(tx, realmId)) throw new RealmDeactivatedError();
  const referrer = await accessReferrer(tx, request, account.createdAtMs);
  const { newAccount, events, user } = await openAccount(tx, account);
  const { id: userId, email, deliveryEmail } = user;
  await insertInvitedAccount(tx, realmId, invitationId, userId);
  await announce(
    tx,
    ...events,
    ...(groupIds.length > 0 ? await joinGroups(tx, referrer, userId, request, account.createdAtMs) : []),
    ...(await arrivalEvents(tx, realmId, user)),
    ...(request.notifiesReferrer ? await referrerEvents(tx, realmId, referrerId, user) : []),
    ...(await welcomeEvents(tx, realmId, { userIds: [userId], role: user.role }, request.welcomeText)),
  );
  return { userId, email, deliveryEmail, apiKey: newAccount.apiKey };
}

/** The inviter, who has to be allowed to give the invitation's role still: they may have lost their own since. */
async function accessReferrer(
  tx: Transaction,
  { realmId, referrerId, role }: OpenInvitedAccountRequest,
  nowMs: number,
): Promise<Actor> {
  const row = await findActor(tx, realmId, referrerId, nowMs);
  if (!row?.user.isActive || isGuest(row.user.role) || role < row.user.role) {
    throw new NoSuchInvitationError();
  }
  return actorOf(row);
}

/** Groups to which the inviter may no longer add members are left out. */
async function joinGroups(
  tx: Transaction,
  referrer: Actor,
  userId: number,
  { realmId, groupIds: invitedToIds }: OpenInvitedAccountRequest,
  nowMs: number,
): Promise<DomainEvent[]> {
  const openIds = await listOpenGroupIds(tx, realmId, invitedToIds);
  const permissions = await loadRealmGroupSettings(tx, realmId);
  const groups = await groupFacts(tx, { actor: referrer, permissions, groupIds: openIds, nowMs });
  const groupIds = groups.filter(({ mayAddMembers }) => mayAddMembers).map(({ id }) => id);
  for (const groupId of groupIds) await insertMembers(tx, realmId, groupId, [userId]);
  return groupIds.map((groupId) => groupMembersAdded(realmId, { groupId, isDeactivated: false, userIds: [userId] }));
}

const VISIBILITIES: readonly number[] = Object.values(EMAIL_VISIBLE_TO);
const MAX_CHANNEL_GROUPS = 100;

/** The initial state of an account: the invitation's grant, and its holder's choices. */
async function beginningFromInput(sql: Sql, request: OpenInvitedAccountRequest): Promise<Beginning> {
  const { timezone, defaultLanguage, emailAddressVisibility: visibility } = request;
  if (visibility !== undefined && !VISIBILITIES.includes(visibility)) {
    throw new BadRequestError('Invalid email_address_visibility: Value error, Not in the list of possible values');
  }
  const language = settingsFromInput(
    defaultLanguage === '' ? [] : [{ name: 'default_language', text: defaultLanguage }],
  );
  return {
    channelIds: [...request.channelIds, ...(await channelsOfGroups(sql, request))],
    includesDefaultChannels: request.includesDefaultChannels,
    timezone: timezone === '' ? '' : timezoneFromInput(timezone),
    emailAddressVisibility: visibility ?? null,
    settings: language,
  };
}

async function channelsOfGroups(
  sql: Sql,
  { realmId, defaultChannelGroups: names }: OpenInvitedAccountRequest,
): Promise<number[]> {
  if (names.length === 0) return [];
  if (names.length > MAX_CHANNEL_GROUPS) {
    throw new BadRequestError(`default_stream_groups is too long (limit: ${MAX_CHANNEL_GROUPS} items)`);
  }
  const found = await listChannelsOfGroups(sql, realmId, possibleTexts([...new Set(names)]));
  return found.flatMap(({ name, channelIds }) => {
    if (channelIds === null) throw new BadRequestError(`Invalid default channel group ${name}`);
    return channelIds;
  });
}

/** Whether an account was created from an invitation; for callers that lost the answer. */
export async function findInvitedAccount(
  { db }: Context,
  { realmId, invitationId }: FindInvitedAccountRequest,
): Promise<FoundInvitedAccount> {
  const account = await selectInvitedAccount(db, realmId, invitationId);
  return {
    ...(account && { userId: account.userId }),
    administratorIds: await listAdministrators(db, realmId),
  };
}

/** The information shown before accepting an invitation, and whether the address is accepted. */
export async function getAcceptanceFacts(
  { db }: Context,
  { realmId, emails }: GetAcceptanceFactsRequest,
): Promise<AcceptanceFacts> {
  if (await isRealmDeactivated(db, realmId)) throw new RealmDeactivatedError();
  const organization = await loadInvitingOrganization(db, realmId);
  const chosen = await findSettingsDefaults(db, realmId);
  return {
    organizationName: organization.name,
    subdomain: organization.subdomain,
    addresses: await addressFacts(db, realmId, organization, emails),
    emailAddressVisibility: Number(chosen.email_address_visibility ?? USER_SETTING_DEFAULTS.email_address_visibility),
    isPasswordNeeded: maySignInByPassword(organization.settings, ROLES.member),
    language: organization.settings.default_language,
  };
}
