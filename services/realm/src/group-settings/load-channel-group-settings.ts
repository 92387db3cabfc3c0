import { CHANNEL_PERMISSION_SETTINGS, type ChannelPermissionName } from '@parley/shared/access';
import type { Sql } from '@parley/shared/db';
import { completeSettings, type GroupSettings } from './complete-settings';
import { findSystemGroupIds, listChannelSettings } from './group-settings.sql';

export type ChannelGroupSettings = GroupSettings<ChannelPermissionName>;

/** Who may do what in the channels, by their ids: every setting, normalized. Channels that do not exist are left out. */
export async function loadChannelGroupSettings(
  sql: Sql,
  realmId: number,
  channelIds: readonly number[],
): Promise<Map<number, ChannelGroupSettings>> {
  if (channelIds.length === 0) return new Map();
  const systemGroupIds = await findSystemGroupIds(sql, realmId);
  const rows = await listChannelSettings(sql, realmId, channelIds);
  return new Map(
    rows.map(({ channelId, creatorId, settings }) => [
      channelId,
      completeSettings(CHANNEL_PERMISSION_SETTINGS, settings, { creatorId, systemGroupIds }),
    ]),
  );
}
