import type { Transaction } from '@parley/shared/db';
import {
  BadRequestError,
  CannotManageDefaultChannelError,
  CannotSetTopicsPolicyError,
  ChannelAlreadyExistsError,
  InsufficientPermissionError,
} from '@parley/shared/errors';
import type { ChannelChange } from '@parley/shared/events';
import type { Channel, UpdateChannelRequest } from '@parley/shared/proto';
import { isAdministrator } from '@parley/shared/values';
import { holdOpenChannelFolder } from '../channel-folders/channel-folders.sql';
import { requireOwner } from '../guards';
import { nameKey } from '../name-key';
import { possibleIds } from '../possible-values';
import { type RenderingContext, renderText } from '../rendering/render-texts';
import type { SeenChannel } from './access-channel';
import { channelDescriptionFromInput } from './channel-description';
import { type ChannelMaker, mayInOrganization } from './channel-maker';
import { channelNameFromInput } from './channel-name';
import { loadChannelsByNames } from './channels.sql';
import { messageRetentionFromInput } from './message-retention';
import type { ChannelKind } from './permissions';
import { planGroupSettings } from './plan-group-settings';
import { planPrivacy } from './plan-privacy';
import { EMPTY_TOPIC_ONLY, INHERITED_TOPICS_POLICY, topicsPolicyFromInput } from './topics-policy';

/** The facts of an update beside the request. */
export interface UpdateFacts extends SeenChannel {
  maker: ChannelMaker;
  isDefault: boolean;
  moderationChannelId: number | null;
}

export interface ChannelUpdate {
  /** What becomes different. */
  change: ChannelChange;
  /** Null: it stays what it is. */
  isDefault: boolean | null;
}

/** What a request makes different from what is, if all of it is allowed and possible. Archiving is not looked at. */
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
  if (newName.trim() === channel.name) throw new BadRequestError('Channel already has that name.');
  const name = channelNameFromInput(newName);
  const namesakes = await loadChannelsByNames(tx, actor.user.realmId, [nameKey(name)]);
  if (namesakes.some(({ id }) => id !== channel.id)) throw new ChannelAlreadyExistsError(name);
  return { name };
}
