import { announce } from '@parley/shared/bus';
import { type DomainEvent, userSettingsDefaultChanged } from '@parley/shared/events';
import type { UpdateUserSettingsDefaultsRequest, UpdateUserSettingsDefaultsResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { SettingValue, UserSettingName, UserSettings } from '@parley/shared/values';
import { requireAdministrator } from '../base/guards';
import type { Context } from '../context';
import { changeOrganization } from '../organization/change-organization';
import { changesOf } from './change-settings';
import { settingsDefaultsFromInput } from './settings-from-input';
import { findSettingsDefaults, storeSettingsDefaults } from './user-settings.sql';

/** Changes the defaults for new accounts; existing ones are unchanged. For administrators. */
export async function updateUserSettingsDefaults(
  ctx: Context,
  caller: Caller,
  request: UpdateUserSettingsDefaultsRequest,
): Promise<UpdateUserSettingsDefaultsResponse> {
  const { realmId } = caller;
  await changeOrganization(ctx, caller, requireAdministrator, async (tx) => {
    const wanted = settingsDefaultsFromInput(request.settings);
    const changed = changesOf(await findSettingsDefaults(tx, realmId), wanted);
    if (Object.keys(changed).length === 0) return;
    await storeSettingsDefaults(tx, realmId, changed);
    await announce(tx, ...defaultEvents(realmId, changed));
  });
  return {};
}

function defaultEvents(realmId: number, changed: Partial<UserSettings>): DomainEvent[] {
  const entries = Object.entries(changed) as [UserSettingName, SettingValue][];
  return entries.map(([name, value]) => userSettingsDefaultChanged(realmId, { name, value }));
}
