import { CHANNEL_PERMISSION_SETTINGS } from '@parley/shared/access';
import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { Channel, GroupSetting, NewChannelSettings } from '@parley/shared/proto';
import type { Actor } from '../actors/actor';
import { holdOpenChannelFolder } from '../channel-folders/channel-folders.sql';
import type { Context } from '../context';
import { announceDefaultChannels } from '../default-channels/announce-default-channels';
import { giveAnonymousGroups, giveNamedGroup } from '../group-settings/give-channel-settings.sql';
import { findSystemGroupIds } from '../group-settings/group-settings.sql';
import { readGroupSettings } from '../group-settings/read-group-settings';
import { nameKey } from '../name-key';
import { renderTexts } from '../rendering/render-texts';
import { announceNewChannels } from './announce-new-channels';
import { audienceOf } from './channel-audience';
import { jointAppearances } from './channel-moves';
import { insertChannels, loadChannels, type NewChannel, type NewChannelKind } from './channels.sql';
import {
  type ChannelGroupSettings,
  refuseTopicRightOnProtectedHistory,
  requireRightToGiveDeletion,
} from './check-channel-settings';
import { loadChannelMaker } from './load-channel-maker';
import { newChannelKind } from './new-channel-kind';

const NO_SETTINGS: NewChannelSettings = {
  isPrivate: false,
  isWebPublic: false,
  isDefault: false,
  topicsPolicy: '',
  groupSettings: {},
  isAnnounced: false,
};

export interface NewChannels {
  /** Names and descriptions as channelNameFromInput and channelDescriptionFromInput give them. */
  channels: readonly { name: string; description: string }[];
  /** Of each of them. */
  settings: NewChannelSettings | null;
}

/**
 * Makes channels, if the actor may make such ones, and tells those who may know of them; nobody is subscribed yet. Violates
 * CHANNEL_NAME_IS_UNIQUE when a name is taken. The answer is by id. The actor is not a guest; whether they may subscribe others to
 * the channels is for the caller to check.
 */
export async function createChannels(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  { channels, settings: given }: NewChannels,
): Promise<Channel[]> {
  if (channels.length === 0) return [];
  const { realmId } = actor.user;
  const nowMs = ctx.clock.now();
  const settings = given ?? NO_SETTINGS;
  const { kind, groupSettings } = await readSettings(ctx, tx, actor, settings, nowMs);

  const made = await insertChannels(tx, realmId, await describeChannels(ctx, tx, actor, channels), kind);
  const channelIds = made.map(({ id }) => id);
  await giveSettings(tx, realmId, channelIds, groupSettings, nowMs);

  const created = await loadChannels(tx, realmId, channelIds);
  await announce(tx, ...(await appearances(tx, realmId, created, nowMs)));
  if (kind.isDefault) await announceDefaultChannels(tx, realmId);
  await announceNewChannels(tx, actor.user, created, settings.isAnnounced);
  return created;
}

async function readSettings(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  settings: NewChannelSettings,
  nowMs: number,
): Promise<{ kind: NewChannelKind; groupSettings: Partial<ChannelGroupSettings> }> {
  const { realmId } = actor.user;
  const maker = await loadChannelMaker(ctx, tx, actor);
  const kind = newChannelKind(settings, maker, nowMs);
  if (kind.folderId !== null && !(await holdOpenChannelFolder(tx, realmId, kind.folderId))) {
    throw new BadRequestError('Invalid channel folder ID');
  }
  const groupSettings = await readGroupSettings(tx, realmId, CHANNEL_PERMISSION_SETTINGS, settings.groupSettings);
  const systemGroupIds = await findSystemGroupIds(tx, realmId);
  requireRightToGiveDeletion(groupSettings, maker, systemGroupIds);
  refuseTopicRightOnProtectedHistory(kind, groupSettings, systemGroupIds);
  return { kind, groupSettings };
}

async function describeChannels(
  ctx: Context,
  tx: Transaction,
  { user: { realmId, id: authorId } }: Actor,
  channels: NewChannels['channels'],
): Promise<NewChannel[]> {
  const descriptions = channels.map(({ description }) => description);
  const rendered = await renderTexts(ctx, tx, { realmId, authorId }, descriptions, 'line');
  return channels.map((channel, n) => ({
    ...channel,
    nameKey: nameKey(channel.name),
    renderedDescription: rendered[n] as string,
  }));
}

async function giveSettings(
  tx: Transaction,
  realmId: number,
  channelIds: readonly number[],
  settings: Partial<ChannelGroupSettings>,
  nowMs: number,
): Promise<void> {
  for (const [name, value] of Object.entries(settings) as [string, GroupSetting][]) {
    if (value.groupId !== undefined) await giveNamedGroup(tx, realmId, channelIds, name, value.groupId);
    else await giveAnonymousGroups(tx, realmId, channelIds, name, value, nowMs);
  }
}

/** All of one kind and without subscribers: whoever may know of one may know of all. */
async function appearances(tx: Transaction, realmId: number, channels: readonly Channel[], nowMs: number) {
  const audience = await audienceOf(tx, realmId, channels[0] as Channel, nowMs);
  // No audience names several channels, but nobody is subscribed yet.
  const isNamedByChannel = audience.to === 'subscribers' && channels.length > 1;
  const receivers = isNamedByChannel ? { to: 'users' as const, userIds: audience.alsoIds ?? [] } : audience;
  return jointAppearances(realmId, channels, receivers);
}
