import { BadRequestError, InsufficientPermissionError } from '@parley/shared/errors';
import type { NewChannelSettings } from '@parley/shared/proto';
import { isAdministrator } from '@parley/shared/values';
import { requireOwner } from '../guards';
import { type ChannelMaker, mayInOrganization } from './channel-maker';
import type { NewChannelKind } from './channels.sql';
import { isInheritedRetention, messageRetentionFromInput } from './message-retention';
import { INHERITED_TOPICS_POLICY, topicsPolicyFromInput } from './topics-policy';

/** The kind of channel that the settings of a request describe, if its maker may make such a one. Folders are looked up elsewhere. */
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
  if (isDefault && isPrivate) throw new BadRequestError('A default channel cannot be private.');
  if (isWebPublic) requireRightToWebPublic(maker);
}

/** Refuses who may not make a private, or a public, channel. */
export function requireRightToKind(isPrivate: boolean, maker: ChannelMaker): void {
  const name = isPrivate ? 'can_create_private_channel_group' : 'can_create_public_channel_group';
  if (!mayInOrganization(maker, name)) throw new InsufficientPermissionError();
}

/** Refuses who may not open a channel to visitors without an account. */
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
