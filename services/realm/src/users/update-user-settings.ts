import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import {
  type DomainEvent,
  emailVisibilityChanged,
  exportConsentChanged,
  timezoneChanged,
  userSettingChanged,
  userStatusChanged,
} from '@parley/shared/events';
import { prismaTransaction } from '@parley/shared/prisma';
import type { UpdateUserSettingsRequest, UpdateUserSettingsResponse, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { isAdministrator, isEmailVisibleTo, ROLE_VALUES, type UserSettings } from '@parley/shared/values';
import { audienceWithout, changeAudience, listStrangersToChange, NOBODY } from '../accounts/accessible-users';
import { refuseWhatDirectoryDecides } from '../accounts/directory-accounts';
import { shownEmail } from '../accounts/email-address';
import { getOwnUser } from '../accounts/get-own-user';
import { findUser, listActiveUserIdsOfRoles, listAdministratorIds, lockUser } from '../accounts/users.sql';
import { requirePerson } from '../base/guards';
import type { Context } from '../context';
import { newEmailFromInput, requestEmailChange } from '../email-changes/email-changes';
import { loadRealmSettings } from '../organization/realms.sql';
import { changeFullName, checkNameIsFree, fullNameFromInput } from '../people/full-name';
import { followPresenceSetting } from '../presence/presence';
import { changePassword, type PasswordChange, passwordChangeFromInput } from '../sign-in/change-password';
import { changeSettings, settingEvents } from '../user-settings/change-settings';
import { settingsFromInput, timezoneFromInput } from '../user-settings/settings-from-input';
import { storeEmailVisibility, storeTimezone } from '../user-settings/user-settings.sql';

interface WantedChanges {
  settings: Partial<UserSettings>;
  /** Null: unchanged. */
  timezone: string | null;
  password: PasswordChange | null;
  email: string | null;
  fullName: string | null;
}

/** Changes the caller's own name, address, password and settings. */
export async function updateUserSettings(
  ctx: Context,
  caller: Caller,
  request: UpdateUserSettingsRequest,
): Promise<UpdateUserSettingsResponse> {
  const own = await getOwnUser(ctx, caller);
  requirePerson(own);
  const { settings, timezone, password, email, fullName } = await changesFromInput(ctx, own, request);
  await prismaTransaction(ctx.db, ctx.prisma, async (tx, prisma) => {
    await lockUser(tx, own.realmId, own.id);
    const user = (await findUser(tx, own.realmId, own.id)) as User;
    if (password) await changePassword(tx, user, password, { usedKeyId: request.usedKeyId, nowMs: ctx.clock.now() });
    if (email !== null) await requestEmailChange({ tx, prisma }, user, email, ctx.clock.now());
    const renamed = fullName === null ? [] : await rename(tx, user, fullName);
    const moved = timezone === null ? [] : await changeTimezone(tx, user, timezone);
    // The address that is shown is announced with the picture, whose initials are those of the new name.
    const present = { ...user, fullName: fullName ?? user.fullName };
    const preferred = await changePreferences(tx, present, settings, ctx.clock.now());
    await announce(tx, ...renamed, ...moved, ...preferred);
  });
  return {};
}

async function changesFromInput(ctx: Context, own: User, request: UpdateUserSettingsRequest): Promise<WantedChanges> {
  await refuseWhatDirectoryDecides(ctx.db, own, {
    password: Boolean(request.newPassword),
    name: request.fullName !== undefined && request.fullName !== own.fullName,
    email: request.email !== undefined && request.email !== own.deliveryEmail,
  });
  const settings = settingsFromInput(request.settings);
  const timezone = request.timezone === undefined ? null : timezoneFromInput(request.timezone);
  const password = await passwordChangeFromInput(ctx, own, request);
  const email = request.email === undefined ? null : await newEmailFromInput(ctx.db, own, request.email);
  return { settings, timezone, password, email, fullName: await nameFromInput(ctx, own, request.fullName) };
}

/**
 * An unchanged name is not validated: it may be older than today's rules. Where names are locked, changes are ignored, as clients send
 * the name along.
 */
async function nameFromInput(ctx: Context, own: User, text: string | undefined): Promise<string | null> {
  if (text === undefined || text === own.fullName) return null;
  const { name_changes_disabled: areNamesLocked } = await loadRealmSettings(ctx.db, own.realmId);
  return areNamesLocked && !isAdministrator(own.role) ? null : fullNameFromInput(text);
}

async function rename(tx: Transaction, user: User, fullName: string): Promise<DomainEvent[]> {
  await checkNameIsFree(tx, user.realmId, fullName, user.id);
  return changeFullName(tx, user, fullName);
}

/** Stores changed settings of a user, in a transaction that has locked the account; returns the events to announce. */
async function changePreferences(
  tx: Transaction,
  user: User,
  { email_address_visibility: visibility, ...wanted }: Partial<UserSettings>,
  nowMs: number,
): Promise<DomainEvent[]> {
  const holder = { realmId: user.realmId, userId: user.id };
  const changed = await changeSettings(tx, holder, wanted);
  return [
    ...settingEvents(user, changed),
    ...(visibility === undefined ? [] : await changeEmailVisibility(tx, user, Number(visibility))),
    ...(await consequences(tx, user, changed, nowMs)),
  ];
}

/** Events for other users about a user's settings. */
async function consequences(
  tx: Transaction,
  user: User,
  changed: Partial<UserSettings>,
  nowMs: number,
): Promise<DomainEvent[]> {
  const { realmId, id: userId } = user;
  const { presence_enabled: isSeen, allow_private_data_export: hasConsented } = changed;
  const events: DomainEvent[] = [];
  // Older clients see it in the status: users who hide their presence are away.
  if (isSeen !== undefined) {
    const audience = await changeAudience(tx, user);
    events.push(userStatusChanged(realmId, { userId, audience, isAway: !isSeen }));
    events.push(
      ...(await followPresenceSetting(tx, { realmId, userId }, { isShown: isSeen === true, audience, nowMs })),
    );
  }
  if (hasConsented !== undefined) {
    const administratorIds = await listAdministratorIds(tx, realmId);
    events.push(exportConsentChanged(realmId, { userId, hasConsented: hasConsented === true, administratorIds }));
  }
  return events;
}

/** Stores the visibility of the account's real address; returns the events to announce. */
async function changeEmailVisibility(tx: Transaction, user: User, visibility: number): Promise<DomainEvent[]> {
  const { id, realmId, emailAddressVisibility: former } = user;
  if (visibility === former) return [];
  const changed = { ...user, emailAddressVisibility: visibility, email: shownEmail(user, visibility) };
  await storeEmailVisibility(tx, realmId, visibility, [changed]);
  const strangerIds = await listStrangersToChange(tx, user);
  const viewersOf = (isMeant: (role: number) => boolean) => listViewers(tx, user, strangerIds, isMeant);
  const [gainedByIds, lostByIds] = [
    await viewersOf((role) => isEmailVisibleTo(role, visibility) && !isEmailVisibleTo(role, former)),
    await viewersOf((role) => isEmailVisibleTo(role, former) && !isEmailVisibleTo(role, visibility)),
  ];
  const audience = changed.email === user.email ? NOBODY : audienceWithout(strangerIds);
  return [
    userSettingChanged(realmId, { userId: id, name: 'email_address_visibility', value: visibility }),
    emailVisibilityChanged(realmId, { userId: id, user: changed, gainedByIds, lostByIds, audience }),
  ];
}

async function listViewers(
  tx: Transaction,
  { id, realmId }: User,
  strangerIds: readonly number[],
  isMeant: (role: number) => boolean,
): Promise<number[]> {
  const roles = ROLE_VALUES.filter(isMeant);
  if (roles.length === 0) return [];
  const userIds = await listActiveUserIdsOfRoles(tx, realmId, roles);
  return userIds.filter((userId) => userId !== id && !strangerIds.includes(userId));
}

/** Stores the user's time zone, in a transaction that has locked the account; returns the events to announce. */
async function changeTimezone(tx: Transaction, user: User, timezone: string): Promise<DomainEvent[]> {
  if (timezone === user.timezone) return [];
  await storeTimezone(tx, user.realmId, user.id, timezone);
  const { realmId, id: userId, email } = user;
  const audience = await changeAudience(tx, user);
  return [timezoneChanged(realmId, { userId, audience, email, timezone })];
}
