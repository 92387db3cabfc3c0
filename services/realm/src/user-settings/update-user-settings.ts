import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import type { DomainEvent } from '@parley/shared/events';
import type { UpdateUserSettingsRequest, UpdateUserSettingsResponse, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { isAdministrator, type UserSettings } from '@parley/shared/values';
import type { Context } from '../context';
import { newEmailFromInput } from '../email-changes/new-email-from-input';
import { requestEmailChange } from '../email-changes/request-email-change';
import { requirePerson } from '../guards';
import { loadRealmSettings } from '../realms/realm-settings.sql';
import { changePassword, type PasswordChange, passwordChangeFromInput } from '../sign-in/change-password';
import { changeFullName } from '../users/change-full-name';
import { checkNameIsFree } from '../users/check-name-is-free';
import { fullNameFromInput } from '../users/full-name';
import { getOwnUser } from '../users/get-own-user';
import { findUser, lockUser } from '../users/users.sql';
import { changePreferences } from './change-preferences';
import { changeTimezone } from './change-timezone';
import { settingsFromInput } from './settings-from-input';
import { timezoneFromInput } from './timezone-from-input';

interface WantedChanges {
  settings: Partial<UserSettings>;
  /** Null: it stays. */
  timezone: string | null;
  password: PasswordChange | null;
  email: string | null;
  fullName: string | null;
}

/** Changes what the caller's own account says of itself, and how it likes things to be. */
export async function updateUserSettings(
  ctx: Context,
  caller: Caller,
  request: UpdateUserSettingsRequest,
): Promise<UpdateUserSettingsResponse> {
  const own = await getOwnUser(ctx, caller);
  requirePerson(own);
  const { settings, timezone, password, email, fullName } = await changesFromInput(ctx, own, request);
  await ctx.db.transaction(async (tx) => {
    await lockUser(tx, own.realmId, own.id);
    const user = (await findUser(tx, own.realmId, own.id)) as User;
    if (password) await changePassword(tx, user, password);
    if (email !== null) await requestEmailChange(tx, user, email, ctx.clock.now());
    const renamed = fullName === null ? [] : await rename(tx, user, fullName);
    const moved = timezone === null ? [] : await changeTimezone(tx, user, timezone);
    const preferred = await changePreferences(tx, user, settings, ctx.clock.now());
    await announce(tx, ...renamed, ...moved, ...preferred);
  });
  return {};
}

async function changesFromInput(ctx: Context, own: User, request: UpdateUserSettingsRequest): Promise<WantedChanges> {
  const settings = settingsFromInput(request.settings);
  const timezone = request.timezone === undefined ? null : timezoneFromInput(request.timezone);
  const password = await passwordChangeFromInput(ctx, own, request);
  const email = request.email === undefined ? null : await newEmailFromInput(ctx.db, own, request.email);
  return { settings, timezone, password, email, fullName: await nameFromInput(ctx, own, request.fullName) };
}

/**
 * A name that stays is not looked at: it may be older than today's rules for names. Where names are locked other ones are passed
 * over in silence, as clients send them along.
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
