import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { type Audience, channelChanged, type DomainEvent, groupUpdated, realmChanged } from '@parley/shared/events';
import type { Channel, GroupSetting, GroupSummary } from '@parley/shared/proto';
import { audiencesOf } from '../channel-access/channel-audience';
import { loadChannels } from '../channel-access/channels.sql';
import {
  formerPolicyEvents,
  loadRealmGroupSettings,
  type RealmGroupSettings,
} from '../group-settings/complete-settings';
import { isSameGroupSetting } from '../group-settings/group-setting';
import { findSystemGroupIds } from '../group-settings/group-settings.sql';
import { selectGroups } from '../groups/groups.sql';
import { toGroup } from '../groups/list-groups';
import { findSettingsNaming, holdChannelsOf, type SettingsOwners } from './settings-naming.sql';

/** Settings as everybody sees them. Values show active users only, so they change with activations. */
interface ShownSettings {
  owners: SettingsOwners;
  realm: RealmGroupSettings | null;
  groups: GroupSummary[];
  channels: Channel[];
}

/**
 * The settings that name any of the users. Loaded before users are deactivated or reactivated; locks the channels concerned, and the
 * caller has locked the organization.
 */
export async function loadSettingsNaming(
  tx: Transaction,
  realmId: number,
  userIds: readonly number[],
  nowMs: number,
): Promise<ShownSettings> {
  const owners = await findSettingsNaming(tx, realmId, userIds);
  if (owners.channelIds.length > 0) await holdChannelsOf(tx, realmId, userIds, owners.channelIds);
  return loadShown(tx, realmId, owners, nowMs);
}

async function loadShown(
  tx: Transaction,
  realmId: number,
  owners: SettingsOwners,
  nowMs: number,
): Promise<ShownSettings> {
  const { isRealm, groupIds, channelIds } = owners;
  return {
    owners,
    realm: isRealm ? await loadRealmGroupSettings(tx, realmId) : null,
    groups: groupIds.length === 0 ? [] : await loadGroups(tx, realmId, groupIds, nowMs),
    channels: channelIds.length === 0 ? [] : await loadChannels(tx, realmId, channelIds),
  };
}

async function loadGroups(tx: Transaction, realmId: number, groupIds: number[], nowMs: number) {
  const systemGroupIds = await findSystemGroupIds(tx, realmId);
  return (await selectGroups(tx, realmId, nowMs, groupIds)).map((row) => toGroup(row, systemGroupIds));
}

/** Announces the settings whose values have changed since they were loaded. */
export async function announceShownSettings(
  tx: Transaction,
  realmId: number,
  before: ShownSettings,
  nowMs: number,
): Promise<void> {
  const after = await loadShown(tx, realmId, before.owners, nowMs);
  await announce(
    tx,
    ...(await realmEvents(tx, realmId, before, after)),
    ...groupEvents(realmId, before, after),
    ...(await channelEvents(tx, realmId, before, after, nowMs)),
  );
}

async function realmEvents(tx: Transaction, realmId: number, before: ShownSettings, after: ShownSettings) {
  if (!before.realm || !after.realm) return [];
  const groupSettings = differences(before.realm, after.realm);
  if (!isAny(groupSettings)) return [];
  return [
    realmChanged(realmId, { settings: {}, groupSettings }),
    ...(await formerPolicyEvents(tx, realmId, before.realm, after.realm)),
  ];
}

function groupEvents(realmId: number, before: ShownSettings, after: ShownSettings): DomainEvent[] {
  const former = new Map(before.groups.map((group) => [group.id, group]));
  return after.groups.flatMap(({ id: groupId, isDeactivated, settings: present }) => {
    const settings = differences(former.get(groupId)?.settings ?? {}, present);
    return isAny(settings) ? [groupUpdated(realmId, { groupId, isDeactivated, settings })] : [];
  });
}

async function channelEvents(
  tx: Transaction,
  realmId: number,
  before: ShownSettings,
  after: ShownSettings,
  nowMs: number,
): Promise<DomainEvent[]> {
  const former = new Map(before.channels.map((channel) => [channel.id, channel]));
  const changes = after.channels.flatMap((channel) => {
    const { groupSettings: formerSettings, postPolicy: formerPolicy } = former.get(channel.id) as Channel;
    const groupSettings = differences(formerSettings, channel.groupSettings);
    const { postPolicy } = channel;
    const change = { groupSettings, ...(postPolicy !== formerPolicy && { postPolicy }) };
    return isAny(groupSettings) ? [{ channel, change }] : [];
  });
  const changed = changes.map(({ channel }) => channel);
  const audiences = await audiencesOf(tx, realmId, changed, nowMs);
  return changes.map(({ channel: { id: channelId, name, isArchived }, change }) => {
    const audience = audiences.get(channelId) as Audience;
    return channelChanged(realmId, { channelId, name, isArchived, change, audience });
  });
}

type Settings = Readonly<Record<string, GroupSetting>>;

/** The differences in `after`. */
function differences(before: Settings, after: Settings): Record<string, GroupSetting> {
  const isChanged = ([name, value]: [string, GroupSetting]) => {
    const former = before[name];
    return former === undefined || !isSameGroupSetting(former, value);
  };
  return Object.fromEntries(Object.entries(after).filter(isChanged));
}

function isAny(settings: Settings): boolean {
  return Object.keys(settings).length > 0;
}
