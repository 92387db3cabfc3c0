import { CHANNEL_PERMISSION_SETTINGS } from '@parley/shared/access';
import type { Sql, Transaction } from '@parley/shared/db';
import {
  BadRequestError,
  CannotManageDefaultChannelError,
  CannotSetTopicsPolicyError,
  ChannelAlreadyExistsError,
  InsufficientPermissionError,
} from '@parley/shared/errors';
import type { ChannelChange } from '@parley/shared/events';
import type { Channel, GroupSettingChange, UpdateChannelRequest } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { isAdministrator } from '@parley/shared/values';
import { requireOwner } from '../base/guards';
import { nameKey } from '../base/name-key';
import { possibleIds } from '../base/possible-values';
import { type ChannelMaker, mayInOrganization, type SeenChannel } from '../channel-access/access-channel';
import {
  channelDescriptionFromInput,
  channelNameFromInput,
  EMPTY_TOPIC_ONLY,
  groupOfPostPolicy,
  INHERITED_TOPICS_POLICY,
  messageRetentionFromInput,
  postPolicyOf,
  topicsPolicyFromInput,
} from '../channel-access/channel-input';
import { loadChannelsByNames } from '../channel-access/channels.sql';
import { type ChannelKind, CONTENT_SETTINGS, hasContentAccess, type Viewer } from '../channel-access/permissions';
import { holdOpenChannelFolder } from '../channel-folders/channel-folders.sql';
import { changeGroupSettings } from '../group-settings/change-group-settings';
import type { SystemGroupIds } from '../group-settings/complete-settings';
import { SEND_SETTING } from '../group-settings/group-setting';
import { findSystemGroupIds } from '../group-settings/group-settings.sql';
import { type RenderingContext, renderText } from '../rendering/render-texts';
import {
  type ChannelGroupSettings,
  refuseTopicRightOnProtectedHistory,
  requireRightToGiveDeletion,
  requireRightToKind,
  requireRightToWebPublic,
} from './create-channels';

/** The facts for an update, apart from the request. */
interface UpdateFacts extends SeenChannel {
  maker: ChannelMaker;
  isDefault: boolean;
  moderationChannelId: number | null;
}

export interface ChannelUpdate {
  change: ChannelChange;
  /** Null: unchanged. */
  isDefault: boolean | null;
}

/** The changes of a request; throws unless all are allowed and possible. Archiving is checked elsewhere. */
export async function planChannelUpdate(
  ctx: RenderingContext,
  tx: Transaction,
  request: UpdateChannelRequest,
  facts: UpdateFacts,
): Promise<ChannelUpdate> {
  const { channel, maker } = facts;
  const kind = planPrivacy(request, { ...facts, isDefault: request.isDefault ?? facts.isDefault });
  const isDefault = planDefault(request, facts);
  const change: ChannelChange = {
    ...(isSameKind(kind, channel) ? {} : { privacy: kind }),
    ...planRetention(request, channel, maker),
    ...planTopicsPolicy(request, channel, maker),
    ...(await planFolder(tx, request, channel, maker)),
    ...(await planDescription(ctx, tx, request, facts)),
    ...(await planName(tx, request, channel, maker)),
  };
  return { change: { ...change, ...(await planGroupSettings(tx, request, kind, facts)) }, isDefault };
}

function isSameKind(a: ChannelKind, b: ChannelKind): boolean {
  return a.isPrivate === b.isPrivate && a.isWebPublic === b.isWebPublic && a.isHistoryPublic === b.isHistoryPublic;
}

function planDefault({ isDefault }: UpdateChannelRequest, { channel, maker, ...present }: UpdateFacts): boolean | null {
  if (isDefault === undefined) return null;
  if (!isAdministrator(maker.actor.user.role)) throw new CannotManageDefaultChannelError();
  if (isDefault && channel.isArchived) throw new BadRequestError('Invalid channel ID');
  return isDefault === present.isDefault ? null : isDefault;
}

function planRetention(
  { messageRetention }: UpdateChannelRequest,
  channel: Channel,
  { actor }: ChannelMaker,
): ChannelChange {
  if (messageRetention === undefined) return {};
  requireOwner(actor.user);
  const messageRetentionDays = messageRetentionFromInput(messageRetention);
  return messageRetentionDays === (channel.messageRetentionDays ?? null) ? {} : { messageRetentionDays };
}

function planTopicsPolicy(request: UpdateChannelRequest, channel: Channel, maker: ChannelMaker): ChannelChange {
  if (request.topicsPolicy === undefined) return {};
  const topicsPolicy = topicsPolicyFromInput(request.topicsPolicy);
  if (topicsPolicy !== INHERITED_TOPICS_POLICY && !mayInOrganization(maker, 'can_set_topics_policy_group')) {
    throw new InsufficientPermissionError();
  }
  if (topicsPolicy === channel.topicsPolicy) return {};
  if (topicsPolicy === EMPTY_TOPIC_ONLY && request.hasNamedTopics) throw new CannotSetTopicsPolicyError();
  return { topicsPolicy };
}

async function planFolder(
  tx: Transaction,
  { folderId: wanted }: UpdateChannelRequest,
  channel: Channel,
  { actor }: ChannelMaker,
): Promise<ChannelChange> {
  if (wanted === undefined || wanted === (channel.folderId ?? 0)) return {};
  if (wanted === 0) return { folderId: null };
  const [folderId] = possibleIds([wanted]);
  const isOpen = folderId !== undefined && (await holdOpenChannelFolder(tx, actor.user.realmId, folderId));
  if (!isOpen) throw new BadRequestError('Invalid channel folder ID');
  return { folderId };
}

async function planDescription(
  ctx: RenderingContext,
  tx: Transaction,
  { description }: UpdateChannelRequest,
  { channel, maker }: UpdateFacts,
): Promise<ChannelChange> {
  if (description === undefined) return {};
  const text = channelDescriptionFromInput(description);
  if (text === channel.description) return {};
  const { realmId, id: authorId } = maker.actor.user;
  return { description: { text, rendered: await renderText(ctx, tx, { realmId, authorId }, text, 'line') } };
}

async function planName(
  tx: Transaction,
  { newName }: UpdateChannelRequest,
  channel: Channel,
  { actor }: ChannelMaker,
): Promise<ChannelChange> {
  if (newName === undefined) return {};
  if (newName.trim() === channel.name) throw new BadRequestError(REFUSAL.channels.isNamedSo);
  const name = channelNameFromInput(newName);
  const namesakes = await loadChannelsByNames(tx, actor.user.realmId, [nameKey(name)]);
  if (namesakes.some(({ id }) => id !== channel.id)) throw new ChannelAlreadyExistsError(name);
  return { name };
}

/** The privacy in a request. */
type PrivacyRequest = Pick<UpdateChannelRequest, 'isPrivate' | 'isWebPublic' | 'isHistoryPublic'>;

interface PrivacyFacts {
  channel: ChannelKind & Pick<Channel, 'id'>;
  viewer: Viewer;
  maker: ChannelMaker;
  /** After the request. */
  isDefault: boolean;
  /** The channel for reported messages; null: none. */
  moderationChannelId: number | null;
}

/** The channel's kind after a request, if the actor may set it. */
function planPrivacy(request: PrivacyRequest, { channel, viewer, ...facts }: PrivacyFacts): ChannelKind {
  const kind = kindAfter(request, channel);
  const isProtected = !kind.isHistoryPublic;
  const isContradiction = (kind.isWebPublic && kind.isPrivate) || (!kind.isPrivate && isProtected);
  if (isContradiction) throw new BadRequestError('Invalid parameters');
  if (kind.isPrivate && facts.isDefault) throw new BadRequestError(REFUSAL.channels.defaultIsPublic);
  if (request.isPrivate !== undefined) {
    if (!hasContentAccess(channel, viewer)) throw contentAccessRequired();
    requireRightToKind(request.isPrivate, facts.maker);
    if (!request.isPrivate && channel.id === facts.moderationChannelId) {
      throw new BadRequestError(REFUSAL.channels.reportsArePrivate);
    }
  }
  if (request.isWebPublic === true) requireRightToWebPublic(facts.maker);
  return kind;
}

/** If only the privacy is given, history follows: private channels protect it. */
function kindAfter({ isPrivate, isWebPublic, isHistoryPublic }: PrivacyRequest, present: ChannelKind): ChannelKind {
  const historyByDefault = isPrivate === undefined ? present.isHistoryPublic : !isPrivate;
  return {
    isPrivate: isPrivate ?? present.isPrivate,
    isWebPublic: isWebPublic ?? present.isWebPublic,
    isHistoryPublic: isHistoryPublic ?? historyByDefault,
  };
}

function contentAccessRequired(): BadRequestError {
  return new BadRequestError('Channel content access is required.');
}

/** The changed group settings of a request, checked for the new kind of channel. */
async function planGroupSettings(
  sql: Sql,
  request: UpdateChannelRequest,
  kind: ChannelKind,
  { channel, viewer, maker }: SeenChannel & { maker: ChannelMaker },
): Promise<ChannelChange> {
  const { realmId } = maker.actor.user;
  const systemGroupIds = await findSystemGroupIds(sql, realmId);
  const present = channel.groupSettings as ChannelGroupSettings;
  const wanted = { ...postPolicyChange(request, systemGroupIds), ...request.groupSettings };
  const changed = await changeGroupSettings(sql, realmId, CHANNEL_PERMISSION_SETTINGS, present, wanted);

  const isAboutContent = CONTENT_SETTINGS.some((name) => changed[name] !== undefined);
  if (isAboutContent && !hasContentAccess(channel, viewer)) throw contentAccessRequired();
  requireRightToGiveDeletion(changed, maker, systemGroupIds);
  const isProtectedNow = channel.isHistoryPublic && !kind.isHistoryPublic;
  if (isProtectedNow || changed.can_create_topic_group !== undefined) {
    refuseTopicRightOnProtectedHistory(kind, { ...present, ...changed }, systemGroupIds);
  }
  if (Object.keys(changed).length === 0) return {};
  const sendGroup = changed[SEND_SETTING];
  const policy = sendGroup === undefined ? {} : { postPolicy: postPolicyOf(sendGroup, systemGroupIds) };
  return { groupSettings: changed as Record<string, never>, ...policy };
}

function postPolicyChange(
  { postPolicy }: UpdateChannelRequest,
  systemGroupIds: SystemGroupIds,
): Record<string, GroupSettingChange> {
  if (postPolicy === undefined) return {};
  return { [SEND_SETTING]: { new: groupOfPostPolicy(postPolicy, systemGroupIds), old: null } };
}
