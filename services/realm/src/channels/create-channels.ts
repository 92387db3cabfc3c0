import { CHANNEL_PERMISSION_SETTINGS, type ChannelPermissionName } from '@parley/shared/access';
import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError, InsufficientPermissionError } from '@parley/shared/errors';
import type { Channel, GroupSetting, NewChannelSettings, User } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { isAdministrator, NO_CHANNEL, type RealmSettings } from '@parley/shared/values';
import type { Actor } from '../actors/actor';
import { requireOwner } from '../base/guards';
import { nameKey } from '../base/name-key';
import { type ChannelMaker, loadChannelMaker, mayInOrganization } from '../channel-access/access-channel';
import { audienceOf } from '../channel-access/channel-audience';
import {
  channelEventsTopic,
  INHERITED_TOPICS_POLICY,
  isInheritedRetention,
  messageRetentionFromInput,
  topicsPolicyFromInput,
} from '../channel-access/channel-input';
import { jointAppearances } from '../channel-access/channel-visibility';
import { insertChannels, loadChannels, type NewChannel, type NewChannelKind } from '../channel-access/channels.sql';
import { holdOpenChannelFolder } from '../channel-folders/channel-folders.sql';
import type { Context } from '../context';
import type { GroupSettings, SystemGroupIds } from '../group-settings/complete-settings';
import { findSystemGroupIds, giveAnonymousGroups, giveNamedGroup } from '../group-settings/group-settings.sql';
import { readGroupSettings } from '../group-settings/read-group-settings';
import { announceNotice, type Notice } from '../notices/announce-notice';
import { holdRealm, loadRealmSettings, lockRealm } from '../organization/realms.sql';
import { announceDefaultChannels } from '../organization-lists/default-channels';
import { renderTexts } from '../rendering/render-texts';
import { announcementText, creationText } from './channel-notices';

const NO_SETTINGS: NewChannelSettings = {
  isPrivate: false,
  isWebPublic: false,
  isDefault: false,
  topicsPolicy: '',
  groupSettings: {},
  isAnnounced: false,
};

/** Called first. New default channels change the organization's list, which is announced whole; others need only hold who sees them. */
export async function holdForChannels(
  tx: Transaction,
  realmId: number,
  settings: Pick<NewChannelSettings, 'isDefault'> | null,
): Promise<void> {
  await (settings?.isDefault ? lockRealm : holdRealm)(tx, realmId);
}

interface NewChannels {
  /** Normalized names and descriptions. */
  channels: readonly { name: string; description: string }[];
  /** For each of the channels. */
  settings: NewChannelSettings | null;
}

/**
 * Creates channels, if the actor may, and announces them to all who may see them; without subscribers. Violates CHANNEL_NAME_IS_UNIQUE
 * when a name is taken. Returns them by id. The actor is not a guest; the caller has called holdForChannels(), and checks the right to subscribe
 * others.
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

/** All have one kind and no subscribers, so they share one audience. */
async function appearances(tx: Transaction, realmId: number, channels: readonly Channel[], nowMs: number) {
  const audience = await audienceOf(tx, realmId, channels[0] as Channel, nowMs);
  // An audience of subscribers refers to one channel; nobody is subscribed yet, so its other users suffice.
  const isNamedByChannel = audience.to === 'subscribers' && channels.length > 1;
  const receivers = isNamedByChannel ? { to: 'users' as const, userIds: audience.alsoIds ?? [] } : audience;
  return jointAppearances(realmId, channels, receivers);
}

const ANNOUNCEMENTS_TOPIC = 'new channels';

/**
 * Sends the notice in each new channel and, if wanted, the announcement of those that are not private. Called last, like
 * announceNotice().
 */
async function announceNewChannels(
  tx: Transaction,
  author: User,
  channels: readonly Channel[],
  areAnnounced: boolean,
): Promise<void> {
  const settings = await loadRealmSettings(tx, author.realmId);
  const open = areAnnounced ? channels.filter(({ isPrivate }) => !isPrivate) : [];
  const notices = [...creationNotices(channels, author, settings), ...announcements(open, author, settings)];
  await announceNotice(tx, author.realmId, ...notices);
}

function creationNotices(channels: readonly Channel[], author: User, settings: Readonly<RealmSettings>): Notice[] {
  if (!settings.send_channel_events_messages) return [];
  return channels.map((channel) => ({
    from: 'notification-bot',
    to: { channelId: channel.id, topic: channelEventsTopic(channel) },
    content: creationText(channel, author),
    readByIds: [author.id],
  }));
}

function announcements(channels: readonly Channel[], author: User, settings: Readonly<RealmSettings>): Notice[] {
  const channelId = settings.new_stream_announcements_stream_id;
  if (channels.length === 0 || channelId === NO_CHANNEL) return [];
  return [
    {
      from: 'notification-bot',
      to: { channelId, topic: ANNOUNCEMENTS_TOPIC },
      content: announcementText(channels, author),
      readByIds: [author.id],
    },
  ];
}

/** The kind of channel in a request, if the actor may create it. Folders are checked elsewhere. */
export function newChannelKind(settings: NewChannelSettings, maker: ChannelMaker, createdAtMs: number): NewChannelKind {
  const { isPrivate, isWebPublic, isHistoryPublic, isDefault, folderId } = settings;
  requireRightToMake(settings, maker);
  return {
    creatorId: maker.actor.user.id,
    isPrivate,
    isWebPublic,
    isHistoryPublic: !isPrivate || isHistoryPublic === true,
    isDefault,
    messageRetentionDays: readRetention(settings.messageRetention, maker),
    topicsPolicy: readTopicsPolicy(settings.topicsPolicy, maker),
    folderId: folderId ?? null,
    createdAtMs,
  };
}

function requireRightToMake({ isPrivate, isWebPublic, isDefault }: NewChannelSettings, maker: ChannelMaker): void {
  if (isPrivate && isWebPublic) throw new BadRequestError('Invalid parameters');
  requireRightToKind(isPrivate, maker);
  if (isDefault && !isAdministrator(maker.actor.user.role)) throw new InsufficientPermissionError();
  if (isDefault && isPrivate) throw new BadRequestError(REFUSAL.channels.defaultIsPublic);
  if (isWebPublic) requireRightToWebPublic(maker);
}

/** Refuses users who may not create private, or public, channels. */
export function requireRightToKind(isPrivate: boolean, maker: ChannelMaker): void {
  const name = isPrivate ? 'can_create_private_channel_group' : 'can_create_public_channel_group';
  if (!mayInOrganization(maker, name)) throw new InsufficientPermissionError();
}

/** Refuses users who may not open a channel to visitors without an account. */
export function requireRightToWebPublic(maker: ChannelMaker): void {
  if (!maker.areWebPublicChannelsEnabled) throw new BadRequestError('Web-public channels are not enabled.');
  if (!mayInOrganization(maker, 'can_create_web_public_channel_group')) throw new InsufficientPermissionError();
}

function readRetention(text: string | undefined, { actor }: ChannelMaker): number | null {
  if (text === undefined || isInheritedRetention(text)) return null;
  requireOwner(actor.user);
  return messageRetentionFromInput(text);
}

function readTopicsPolicy(text: string, maker: ChannelMaker): string {
  const policy = topicsPolicyFromInput(text);
  if (policy !== INHERITED_TOPICS_POLICY && !mayInOrganization(maker, 'can_set_topics_policy_group')) {
    throw new InsufficientPermissionError();
  }
  return policy;
}

export type ChannelGroupSettings = GroupSettings<ChannelPermissionName>;

const DELETE_SETTINGS = [
  'can_delete_any_message_group',
  'can_delete_own_message_group',
] as const satisfies readonly ChannelPermissionName[];

/** Refuses to grant the right to delete messages, unless the organization allows the actor to. */
export function requireRightToGiveDeletion(
  values: Partial<ChannelGroupSettings>,
  maker: ChannelMaker,
  systemGroupIds: SystemGroupIds,
): void {
  const isGiven = ({ groupId }: GroupSetting) => groupId !== systemGroupIds['role:nobody'];
  const isAnyGiven = DELETE_SETTINGS.some((name) => values[name] !== undefined && isGiven(values[name]));
  if (isAnyGiven && !mayInOrganization(maker, 'can_set_delete_message_policy_group')) {
    throw new InsufficientPermissionError();
  }
}

/** With protected history nobody can know which topics are new, so everyone may start topics. */
export function refuseTopicRightOnProtectedHistory(
  { isPrivate, isHistoryPublic }: Pick<Channel, 'isPrivate' | 'isHistoryPublic'>,
  { can_create_topic_group: value }: Partial<ChannelGroupSettings>,
  systemGroupIds: SystemGroupIds,
): void {
  const isProtected = isPrivate && !isHistoryPublic;
  if (!isProtected || value === undefined || value.groupId === systemGroupIds['role:everyone']) return;
  throw new BadRequestError('Unsupported parameter combination: history_public_to_subscribers, can_create_topic_group');
}
