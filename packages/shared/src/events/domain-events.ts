import { actPerformed } from './acts';
import { attachmentAdded, attachmentChanged, attachmentRemoved } from './attachments';
import { botChanged, botCreated, botLost, botOwnerChanged, webhookBotsCalled } from './bots';
import { channelFolderChanged, channelFolderCreated, channelFoldersReordered } from './channel-folders';
import {
  channelAccessChanged,
  channelAppeared,
  channelArchived,
  channelBeginningChanged,
  channelChanged,
  channelFirstMessageTold,
  channelVanished,
  channelWoken,
} from './channels';
import { clientDeviceAdded, clientDeviceRemoved } from './client-devices';
import { directConversationBegun, mutedTopicsChanged, topicPolicyChanged } from './conversations';
import { dataExportsChanged, exportConsentChanged } from './data-exports';
import { defaultChannelGroupsChanged, defaultChannelsChanged } from './default-channels';
import { draftChanged, draftRemoved, draftsAdded } from './drafts';
import { flagsChanged, messagesReturned } from './flags';
import {
  groupCreated,
  groupDeactivated,
  groupMembersAdded,
  groupMembersRemoved,
  groupReactivated,
  groupUpdated,
  subgroupsAdded,
  subgroupsRemoved,
} from './groups';
import { invitationsChanged } from './invitations';
import { messageEdited } from './message-edited';
import { messageSent } from './message-sent';
import { messageDeleted, messagesDeleted, messagesFilled } from './messages-deleted';
import { navigationViewAdded, navigationViewChanged, navigationViewRemoved } from './navigation-views';
import { noticeAnnounced } from './notices';
import {
  realmChanged,
  realmDeactivated,
  realmFilled,
  realmImageChanged,
  realmPropertyChanged,
  releaseChanged,
} from './organization';
import {
  allowedDomainAdded,
  allowedDomainChanged,
  allowedDomainRemoved,
  customEmojiChanged,
  linkifiersChanged,
  playgroundsChanged,
  profileFieldsChanged,
} from './organization-lists';
import { presenceChanged } from './presence';
import { reactionAdded, reactionRemoved, submessageAdded } from './reactions';
import { reminderAdded, reminderRemoved } from './reminders';
import { savedSnippetAdded, savedSnippetChanged, savedSnippetRemoved } from './saved-snippets';
import { scheduledMessageAdded, scheduledMessageChanged, scheduledMessageRemoved } from './scheduled-messages';
import {
  peersAdded,
  peersRemoved,
  subscriptionAdded,
  subscriptionChanged,
  subscriptionPropertyChanged,
  subscriptionRemoved,
} from './subscriptions';
import { editTypingReported, typingReported } from './typing';
import {
  avatarChanged,
  emailChanged,
  emailVisibilityChanged,
  profileValueChanged,
  userRenamed,
  userStatusChanged,
} from './user-profiles';
import {
  alertWordsChanged,
  mutedUsersChanged,
  onboardingStepCompleted,
  timezoneChanged,
  userSettingChanged,
  userSettingsDefaultChanged,
} from './user-settings';
import {
  apiKeyRevoked,
  guestRestrictionChanged,
  personJoined,
  userCreated,
  userDeactivated,
  userLost,
  userMet,
  userReactivated,
  userRoleChanged,
} from './users';

/** Every domain event there is. */
export const domainEvents = {
  [botChanged.kind]: botChanged,
  [botCreated.kind]: botCreated,
  [botLost.kind]: botLost,
  [botOwnerChanged.kind]: botOwnerChanged,
  [messageSent.kind]: messageSent,
  [webhookBotsCalled.kind]: webhookBotsCalled,
  [messageEdited.kind]: messageEdited,
  [messageDeleted.kind]: messageDeleted,
  [messagesDeleted.kind]: messagesDeleted,
  [channelBeginningChanged.kind]: channelBeginningChanged,
  [channelFirstMessageTold.kind]: channelFirstMessageTold,
  [directConversationBegun.kind]: directConversationBegun,
  [reactionAdded.kind]: reactionAdded,
  [reactionRemoved.kind]: reactionRemoved,
  [reminderAdded.kind]: reminderAdded,
  [reminderRemoved.kind]: reminderRemoved,
  [scheduledMessageAdded.kind]: scheduledMessageAdded,
  [scheduledMessageChanged.kind]: scheduledMessageChanged,
  [scheduledMessageRemoved.kind]: scheduledMessageRemoved,
  [submessageAdded.kind]: submessageAdded,
  [topicPolicyChanged.kind]: topicPolicyChanged,
  [mutedTopicsChanged.kind]: mutedTopicsChanged,
  [subscriptionChanged.kind]: subscriptionChanged,
  [subscriptionAdded.kind]: subscriptionAdded,
  [subscriptionRemoved.kind]: subscriptionRemoved,
  [subscriptionPropertyChanged.kind]: subscriptionPropertyChanged,
  [peersAdded.kind]: peersAdded,
  [peersRemoved.kind]: peersRemoved,
  [alertWordsChanged.kind]: alertWordsChanged,
  [apiKeyRevoked.kind]: apiKeyRevoked,
  [noticeAnnounced.kind]: noticeAnnounced,
  [personJoined.kind]: personJoined,
  [emailVisibilityChanged.kind]: emailVisibilityChanged,
  [dataExportsChanged.kind]: dataExportsChanged,
  [exportConsentChanged.kind]: exportConsentChanged,
  [flagsChanged.kind]: flagsChanged,
  [messagesFilled.kind]: messagesFilled,
  [messagesReturned.kind]: messagesReturned,
  [channelAccessChanged.kind]: channelAccessChanged,
  [mutedUsersChanged.kind]: mutedUsersChanged,
  [clientDeviceAdded.kind]: clientDeviceAdded,
  [clientDeviceRemoved.kind]: clientDeviceRemoved,
  [navigationViewAdded.kind]: navigationViewAdded,
  [navigationViewChanged.kind]: navigationViewChanged,
  [navigationViewRemoved.kind]: navigationViewRemoved,
  [onboardingStepCompleted.kind]: onboardingStepCompleted,
  [timezoneChanged.kind]: timezoneChanged,
  [attachmentAdded.kind]: attachmentAdded,
  [attachmentChanged.kind]: attachmentChanged,
  [attachmentRemoved.kind]: attachmentRemoved,
  [avatarChanged.kind]: avatarChanged,
  [emailChanged.kind]: emailChanged,
  [userCreated.kind]: userCreated,
  [userDeactivated.kind]: userDeactivated,
  [userLost.kind]: userLost,
  [userMet.kind]: userMet,
  [userReactivated.kind]: userReactivated,
  [userRoleChanged.kind]: userRoleChanged,
  [userRenamed.kind]: userRenamed,
  [userSettingChanged.kind]: userSettingChanged,
  [userSettingsDefaultChanged.kind]: userSettingsDefaultChanged,
  [userStatusChanged.kind]: userStatusChanged,
  [presenceChanged.kind]: presenceChanged,
  [typingReported.kind]: typingReported,
  [editTypingReported.kind]: editTypingReported,
  [linkifiersChanged.kind]: linkifiersChanged,
  [playgroundsChanged.kind]: playgroundsChanged,
  [channelFolderCreated.kind]: channelFolderCreated,
  [channelAppeared.kind]: channelAppeared,
  [channelArchived.kind]: channelArchived,
  [channelChanged.kind]: channelChanged,
  [channelVanished.kind]: channelVanished,
  [channelWoken.kind]: channelWoken,
  [channelFolderChanged.kind]: channelFolderChanged,
  [channelFoldersReordered.kind]: channelFoldersReordered,
  [allowedDomainAdded.kind]: allowedDomainAdded,
  [allowedDomainChanged.kind]: allowedDomainChanged,
  [allowedDomainRemoved.kind]: allowedDomainRemoved,
  [defaultChannelGroupsChanged.kind]: defaultChannelGroupsChanged,
  [defaultChannelsChanged.kind]: defaultChannelsChanged,
  [realmChanged.kind]: realmChanged,
  [realmDeactivated.kind]: realmDeactivated,
  [realmImageChanged.kind]: realmImageChanged,
  [realmPropertyChanged.kind]: realmPropertyChanged,
  [releaseChanged.kind]: releaseChanged,
  [profileFieldsChanged.kind]: profileFieldsChanged,
  [profileValueChanged.kind]: profileValueChanged,
  [customEmojiChanged.kind]: customEmojiChanged,
  [groupCreated.kind]: groupCreated,
  [groupDeactivated.kind]: groupDeactivated,
  [groupMembersAdded.kind]: groupMembersAdded,
  [groupMembersRemoved.kind]: groupMembersRemoved,
  [groupReactivated.kind]: groupReactivated,
  [groupUpdated.kind]: groupUpdated,
  [subgroupsAdded.kind]: subgroupsAdded,
  [subgroupsRemoved.kind]: subgroupsRemoved,
  [realmFilled.kind]: realmFilled,
  [draftChanged.kind]: draftChanged,
  [draftRemoved.kind]: draftRemoved,
  [draftsAdded.kind]: draftsAdded,
  [savedSnippetAdded.kind]: savedSnippetAdded,
  [savedSnippetChanged.kind]: savedSnippetChanged,
  [savedSnippetRemoved.kind]: savedSnippetRemoved,
  [guestRestrictionChanged.kind]: guestRestrictionChanged,
  [invitationsChanged.kind]: invitationsChanged,
  [actPerformed.kind]: actPerformed,
};

export type EventKind = keyof typeof domainEvents;

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
