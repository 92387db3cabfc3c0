import { actPerformed } from './act-performed';
import { channelAccessChanged } from './channel-access-changed';
import { channelAppeared } from './channel-appeared';
import { channelArchived } from './channel-archived';
import { channelBeginningChanged } from './channel-beginning-changed';
import { channelVanished } from './channel-vanished';
import { channelWoken } from './channel-woken';
import { directConversationBegun } from './direct-conversation-begun';
import { invitationsChanged } from './invitations-changed';
import { messagesReturned } from './messages-returned';
import { mutedUsersChanged } from './muted-users-changed';
import { noticeAnnounced } from './notice-announced';
import { personJoined } from './person-joined';
import { realmDeactivated } from './realm-deactivated';
import { subscriptionChanged } from './subscription-changed';
import { topicPolicyChanged } from './topic-policy-changed';
import { userDeactivated } from './user-deactivated';
import { userSettingChanged } from './user-setting-changed';
import { webhookBotsCalled } from './webhook-bots-called';

/** What services act on, with consume(): these are published once more when the log was lost. */
export const consumedKinds = [
  actPerformed.kind,
  channelAccessChanged.kind,
  channelAppeared.kind,
  channelVanished.kind,
  channelArchived.kind,
  channelBeginningChanged.kind,
  channelWoken.kind,
  directConversationBegun.kind,
  invitationsChanged.kind,
  messagesReturned.kind,
  mutedUsersChanged.kind,
  noticeAnnounced.kind,
  personJoined.kind,
  realmDeactivated.kind,
  subscriptionChanged.kind,
  topicPolicyChanged.kind,
  userDeactivated.kind,
  userSettingChanged.kind,
  webhookBotsCalled.kind,
] as const;

export type ConsumedKind = (typeof consumedKinds)[number];
