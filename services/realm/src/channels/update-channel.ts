import type { ChannelPermissionName } from '@parley/shared/access';
import { announce } from '@parley/shared/bus';
import type { Sql, Transaction } from '@parley/shared/db';
import { ChannelAlreadyExistsError } from '@parley/shared/errors';
import { type Audience, type ChannelChange, channelChanged } from '@parley/shared/events';
import type { Channel, GroupSetting, UpdateChannelRequest, UpdateChannelResponse, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { NO_CHANNEL } from '@parley/shared/values';
import { type Actor, loadActor } from '../actors/actor';
import { isUniqueViolation } from '../base/unique-violation';
import { holdAdministeredChannel, loadChannelMaker, type SeenChannel } from '../channel-access/access-channel';
import { audienceOf } from '../channel-access/channel-audience';
import { channelEventsTopic } from '../channel-access/channel-input';
import { watchVisibility } from '../channel-access/channel-visibility';
import { CHANNEL_NAME_IS_UNIQUE, loadChannels, storeChannelChange } from '../channel-access/channels.sql';
import { METADATA_SETTINGS } from '../channel-access/permissions';
import type { Context } from '../context';
import { setGroupSetting } from '../group-settings/change-group-settings';
import { SEND_SETTING } from '../group-settings/group-setting';
import { announceNotice, type Notice } from '../notices/announce-notice';
import { changeOrganization } from '../organization/change-organization';
import { loadRealmSettings } from '../organization/realms.sql';
import { leaveDefaultChannelGroups } from '../organization-lists/default-channel-groups';
import { announceDefaultChannels, holdChannel } from '../organization-lists/default-channels';
import { setIsDefault } from '../organization-lists/default-channels.sql';
import { changeArchived } from './archive-channel';
import {
  describedText,
  loadGroupSettingTexts,
  postingText,
  privacyText,
  renamedText,
  retentionText,
} from './channel-notices';
import { type ChannelUpdate, planChannelUpdate } from './plan-channel-update';

/** Changes a channel's name, description, privacy, permissions and other settings, or archives or unarchives it. */
export async function updateChannel(
  ctx: Context,
  caller: Caller,
  request: UpdateChannelRequest,
): Promise<UpdateChannelResponse> {
  const nowMs = ctx.clock.now();
  try {
    await changeOrganization(ctx, caller, anyone, async (tx) => {
      const actor = await loadActor(tx, caller, nowMs);
      const seen = await holdAdministeredChannel(tx, actor, request.channelId);
      if (request.isArchived !== undefined)
        await changeArchived(tx, actor.user, seen.channel, request.isArchived, nowMs);
      const channel = { ...seen.channel, isArchived: request.isArchived ?? seen.channel.isArchived };
      const { change, isDefault } = await planUpdate(ctx, tx, actor, { ...seen, channel }, request);
      // Default channels, also those of sets, must be open to everybody.
      if (isDefault === false) await changeDefault(tx, caller.realmId, channel.id, false);
      if (change.privacy?.isPrivate) await leaveDefaultChannelGroups(tx, caller.realmId, channel.id);
      if (Object.keys(change).length > 0) await changeChannel(tx, actor.user, channel, change, nowMs);
      if (isDefault === true) await changeDefault(tx, caller.realmId, channel.id, true);
    });
    return {};
  } catch (error) {
    // A concurrent transaction has created a channel of that name.
    if (!isUniqueViolation(error, CHANNEL_NAME_IS_UNIQUE)) throw error;
    throw new ChannelAlreadyExistsError((request.newName ?? '').trim());
  }
}

/** The channel's own permission is checked below. */
const anyone = () => {};

async function planUpdate(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  seen: SeenChannel,
  request: UpdateChannelRequest,
): Promise<ChannelUpdate> {
  const { realmId } = actor.user;
  const maker = await loadChannelMaker(ctx, tx, actor);
  const { isDefault } = await holdChannel(tx, realmId, seen.channel.id);
  const { moderation_request_channel_id: id } = await loadRealmSettings(tx, realmId);
  const moderationChannelId = id === NO_CHANNEL ? null : id;
  return planChannelUpdate(ctx, tx, request, { ...seen, maker, isDefault, moderationChannelId });
}

async function changeDefault(tx: Transaction, realmId: number, channelId: number, isDefault: boolean): Promise<void> {
  await setIsDefault(tx, realmId, channelId, isDefault);
  await announceDefaultChannels(tx, realmId);
}

/** Stores the changes of a locked channel and announces them: users for whom it appears or vanishes get that, others the change. */
async function changeChannel(
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

/** Returns the users for whom the channel appeared. */
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
  const isVisibilityAffected = change.privacy !== undefined || METADATA_SETTINGS.some((name) => groupSettings[name]);
  if (isVisibilityAffected) {
    const { gained } = await watchVisibility(tx, realmId, { userIds: null, channelIds: [channelId] }, nowMs, store);
    return gained.get(channelId) ?? [];
  }
  await store();
  return [];
}

/** Users for whom the channel appeared already have its new state. */
function without(userIds: readonly number[], audience: Audience): Audience {
  if (userIds.length === 0 || audience.to === 'users') return audience;
  return { ...audience, exceptIds: [...(audience.exceptIds ?? []), ...userIds] };
}

/** Notices in the channel about its own changes, if the organization wants them. */
async function changeNotices(
  sql: Sql,
  author: User,
  before: Channel,
  after: Channel,
  change: ChannelChange,
): Promise<Notice[]> {
  const { send_channel_events_messages: areWanted } = await loadRealmSettings(sql, author.realmId);
  if (!areWanted) return [];
  const texts = [
    ...(change.name === undefined ? [] : [renamedText(before.name, change.name, author)]),
    ...(change.description ? [describedText(before.description, after.description, author)] : []),
    ...(change.privacy ? [privacyText(before, change.privacy, author)] : []),
    ...(await postingTexts(sql, author, before, change)),
    ...(change.messageRetentionDays === undefined
      ? []
      : [retentionText(before.messageRetentionDays ?? null, change.messageRetentionDays, author)]),
  ];
  const to = { channelId: after.id, topic: channelEventsTopic(after) };
  return texts.map((content) => ({ from: 'notification-bot', to, content, readByIds: [author.id] }));
}

async function postingTexts(sql: Sql, author: User, before: Channel, change: ChannelChange): Promise<string[]> {
  const value = change.groupSettings?.[SEND_SETTING];
  if (value === undefined) return [];
  const values = [before.groupSettings[SEND_SETTING] as GroupSetting, value];
  const [oldText, newText] = (await loadGroupSettingTexts(sql, author.realmId, values)) as [string, string];
  return [postingText(oldText, newText, author)];
}
