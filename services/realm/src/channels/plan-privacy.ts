import { BadRequestError } from '@parley/shared/errors';
import type { Channel, UpdateChannelRequest } from '@parley/shared/proto';
import type { ChannelMaker } from './channel-maker';
import { requireRightToKind, requireRightToWebPublic } from './new-channel-kind';
import { type ChannelKind, hasContentAccess, type Viewer } from './permissions';

/** What a request says of who may see a channel. */
export type PrivacyRequest = Pick<UpdateChannelRequest, 'isPrivate' | 'isWebPublic' | 'isHistoryPublic'>;

export interface PrivacyFacts {
  channel: ChannelKind & Pick<Channel, 'id'>;
  viewer: Viewer;
  maker: ChannelMaker;
  /** After the request. */
  isDefault: boolean;
  /** Where moderators are told of messages that somebody reported; null: nowhere. */
  moderationChannelId: number | null;
}

/** The kind that the channel is after a request, if the actor may make it one. */
export function planPrivacy(request: PrivacyRequest, { channel, viewer, ...facts }: PrivacyFacts): ChannelKind {
  const kind = kindAfter(request, channel);
  const isProtected = !kind.isHistoryPublic;
  const isContradiction = (kind.isWebPublic && kind.isPrivate) || (!kind.isPrivate && isProtected);
  if (isContradiction) throw new BadRequestError('Invalid parameters');
  if (kind.isPrivate && facts.isDefault) throw new BadRequestError('A default channel cannot be private.');
  if (request.isPrivate !== undefined) {
    if (!hasContentAccess(channel, viewer)) throw contentAccessRequired();
    requireRightToKind(request.isPrivate, facts.maker);
    if (!request.isPrivate && channel.id === facts.moderationChannelId) {
      throw new BadRequestError('A moderation request channel cannot be public.');
    }
  }
  if (request.isWebPublic === true) requireRightToWebPublic(facts.maker);
  return kind;
}

/** Where only the privacy is given, history follows: what is closed to others is closed to those who come later. */
function kindAfter({ isPrivate, isWebPublic, isHistoryPublic }: PrivacyRequest, present: ChannelKind): ChannelKind {
  const historyByDefault = isPrivate === undefined ? present.isHistoryPublic : !isPrivate;
  return {
    isPrivate: isPrivate ?? present.isPrivate,
    isWebPublic: isWebPublic ?? present.isWebPublic,
    isHistoryPublic: isHistoryPublic ?? historyByDefault,
  };
}

export function contentAccessRequired(): BadRequestError {
  return new BadRequestError('Channel content access is required.');
}
