import { CHANNEL_PERMISSION_SETTINGS, REALM_PERMISSION_SETTINGS } from '@parley/shared/access';
import type { ChannelSendFacts, SendFacts } from '@parley/shared/proto';
import { isInReach, isInSystemGroup } from '../groups/permissions';
import type { ReachOfSend, SendRightsRow } from './send-rights.sql';

/** Role or waiting state of the sender, and of a bot's owner. */
interface SenderStanding {
  standing: number;
  ownerStanding: number | null;
}

type ChannelRights = Pick<ChannelSendFacts, 'isMuted' | 'mayCreateTopics' | 'seenIntervals' | 'isHistoryProtected'>;

/** The rights to send to a channel, apart from access to it. A bot may use its owner's rights. */
export function toChannelRights(
  row: SendRightsRow,
  sender: SenderStanding,
  isHistoryProtected: boolean,
): ChannelRights {
  const everyone = CHANNEL_PERMISSION_SETTINGS.can_create_topic_group.default;
  return {
    isMuted: row.isMuted,
    mayCreateTopics: row.createTopicGroup
      ? isIn(row.createTopicGroup, sender)
      : isInSystemGroup(everyone, sender.standing),
    seenIntervals: row.seenIntervals ?? [],
    isHistoryProtected,
  };
}

function isIn(reach: ReachOfSend, { standing, ownerStanding }: SenderStanding): boolean {
  const isOwnerIn = ownerStanding !== null && isInReach({ ...reach, isListed: reach.isOwnerListed }, ownerStanding);
  return isOwnerIn || isInReach({ ...reach, isListed: reach.isSenderListed }, standing);
}

type SendRights = Pick<
  SendFacts,
  'mayMentionMany' | 'mentionFollowerIds' | 'calledBotIds' | 'direct' | 'notificationBotId'
>;

/** The rights that depend on recipients and mentions: the sender's own, never its owner's. */
export function toSendRights(row: SendRightsRow, standing: number): SendRights {
  const { direct, mentionManyGroup, notificationBotId } = row;
  const isSenderIn = (reach: ReachOfSend | null | undefined, unset: string) =>
    reach ? isInReach({ ...reach, isListed: reach.isSenderListed }, standing) : isInSystemGroup(unset, standing);
  return {
    mayMentionMany: isSenderIn(mentionManyGroup, REALM_PERMISSION_SETTINGS.can_mention_many_users_group.default),
    mentionFollowerIds: row.mentioned?.followerIds ?? [],
    calledBotIds: row.mentioned?.calledBotIds ?? [],
    direct: direct
      ? {
          areRecipientsKnown: direct.areKnown ?? true,
          isDisabled: direct.permission?.isNobody === true,
          isAuthorized: direct.permission?.isAuthorized ?? true,
          mayInitiate: isSenderIn(
            direct.initiatorGroup,
            REALM_PERMISSION_SETTINGS.direct_message_initiator_group.default,
          ),
        }
      : null,
    ...(notificationBotId !== null && { notificationBotId }),
  };
}
