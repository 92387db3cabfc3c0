import { announce } from '@parley/shared/bus';
import type { UpdateUserSettingsRequest, UpdateUserSettingsResponse, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { UserSettings } from '@parley/shared/values';
import type { Context } from '../context';
import { requirePerson } from '../guards';
import { changePassword, type PasswordChange, passwordChangeFromInput } from '../sign-in/change-password';
import { changeFullName } from '../users/change-full-name';
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
  const { settings, timezone, password, fullName } = await changesFromInput(ctx, own, request);
  await ctx.db.transaction(async (tx) => {
    await lockUser(tx, own.realmId, own.id);
    const user = (await findUser(tx, own.realmId, own.id)) as User;
    if (password) await changePassword(tx, user, password);
    const renamed = fullName === null ? [] : await changeFullName(tx, user, fullName);
    const moved = timezone === null ? [] : await changeTimezone(tx, user, timezone);
    await announce(tx, ...renamed, ...moved, ...(await changePreferences(tx, user, settings)));
  });
  return {};
}

async function changesFromInput(ctx: Context, own: User, request: UpdateUserSettingsRequest): Promise<WantedChanges> {
  const settings = settingsFromInput(request.settings);
  const timezone = request.timezone === undefined ? null : timezoneFromInput(request.timezone);
  const password = await passwordChangeFromInput(ctx, own, request);
  return { settings, timezone, password, fullName: nameFromInput(own, request.fullName) };
}

/** A name that stays is not looked at: it may be older than today's rules for names. */
function nameFromInput(own: User, text: string | undefined): string | null {
  return text === undefined || text === own.fullName ? null : fullNameFromInput(text);
}
