import type { ChannelPermissionName } from '@parley/shared/access';
import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { type Audience, type ChannelChange, channelChanged } from '@parley/shared/events';
import type { Channel, GroupSetting, User } from '@parley/shared/proto';
import { setGroupSetting } from '../group-settings/set-group-setting';
import { announceNotice } from '../notices/announce-notice';
import { storeChannelChange } from './change-channel.sql';
import { changeNotices } from './change-notices';
import { audienceOf } from './channel-audience';
import { watchSight } from './channel-sight';
import { loadChannels } from './channels.sql';
import { METADATA_SETTINGS } from './permissions';

/**
 * Stores what becomes different of a channel, which the caller holds, and tells everybody: those for whom it appears or vanishes
 * are told that, the others of the change.
 */
export async function changeChannel(
  tx: Transaction,
  author: User,
  before: Channel,
  change: ChannelChange,
  nowMs: number,
): Promise<void> {
  const { realmId } = author;
  const newcomerIds = await storeAndWatch(tx, realmId, before.id, change, nowMs);
  const [after] = (await loadChannels(tx, realmId, [before.id])) as [Channel];
  const audience = without(newcomerIds, await audienceOf(tx, realmId, after, nowMs));
  const { id: channelId, name, isArchived } = before;
  await announce(tx, channelChanged(realmId, { channelId, name, isArchived, change, audience }));
  await announceNotice(tx, realmId, ...(await changeNotices(tx, author, before, after, change)));
}

/** The answer: those for whom the channel appeared. */
async function storeAndWatch(
  tx: Transaction,
  realmId: number,
  channelId: number,
  change: ChannelChange,
  nowMs: number,
): Promise<readonly number[]> {
  const { groupSettings = {} } = change;
  const store = async () => {
    await storeChannelChange(tx, realmId, channelId, change);
    for (const [name, value] of Object.entries(groupSettings) as [ChannelPermissionName, GroupSetting][]) {
      await setGroupSetting(tx, realmId, { of: 'channel', channelId, name }, value, nowMs);
    }
  };
  const isSightAffected = change.privacy !== undefined || METADATA_SETTINGS.some((name) => groupSettings[name]);
  if (isSightAffected) {
    const { gained } = await watchSight(tx, realmId, { userIds: null, channelIds: [channelId] }, nowMs, store);
    return gained.get(channelId) ?? [];
  }
  await store();
  return [];
}

/** What they got with the channel holds the change already. */
function without(userIds: readonly number[], audience: Audience): Audience {
  if (userIds.length === 0 || audience.to === 'users') return audience;
  return { ...audience, exceptIds: [...(audience.exceptIds ?? []), ...userIds] };
}
