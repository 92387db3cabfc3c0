import { actPerformed } from './act-performed';
import { alertWordsChanged } from './alert-words-changed';
import { allowedDomainAdded } from './allowed-domain-added';
import { allowedDomainChanged } from './allowed-domain-changed';
import { allowedDomainRemoved } from './allowed-domain-removed';
import { apiKeyRevoked } from './api-key-revoked';
import { attachmentAdded } from './attachment-added';
import { attachmentChanged } from './attachment-changed';
import { attachmentRemoved } from './attachment-removed';
import { avatarChanged } from './avatar-changed';
import { botChanged } from './bot-changed';
import { botCreated } from './bot-created';
import { botLost } from './bot-lost';
import { botOwnerChanged } from './bot-owner-changed';
import { channelAccessChanged } from './channel-access-changed';
import { channelAppeared } from './channel-appeared';
import { channelArchived } from './channel-archived';
import { channelBeginningChanged } from './channel-beginning-changed';
import { channelChanged } from './channel-changed';
import { channelFirstMessageTold } from './channel-first-message-told';
import { channelFolderChanged } from './channel-folder-changed';
import { channelFolderCreated } from './channel-folder-created';
import { channelFoldersReordered } from './channel-folders-reordered';
import { channelVanished } from './channel-vanished';
import { channelWoken } from './channel-woken';
import { clientDeviceAdded } from './client-device-added';
import { clientDeviceRemoved } from './client-device-removed';
import { customEmojiChanged } from './custom-emoji-changed';
import { dataExportsChanged } from './data-exports-changed';
import { defaultChannelGroupsChanged } from './default-channel-groups-changed';
import { defaultChannelsChanged } from './default-channels-changed';
import { directConversationBegun } from './direct-conversation-begun';
import { draftChanged } from './draft-changed';
import { draftRemoved } from './draft-removed';
import { draftsAdded } from './drafts-added';
import { editTypingReported } from './edit-typing-reported';
import { emailChanged } from './email-changed';
import { emailVisibilityChanged } from './email-visibility-changed';
import { exportConsentChanged } from './export-consent-changed';
import { flagsChanged } from './flags-changed';
import { groupCreated } from './group-created';
import { groupDeactivated } from './group-deactivated';
import { groupMembersAdded } from './group-members-added';
import { groupMembersRemoved } from './group-members-removed';
import { groupReactivated } from './group-reactivated';
import { groupUpdated } from './group-updated';
import { guestRestrictionChanged } from './guest-restriction-changed';
import { invitationsChanged } from './invitations-changed';
import { linkifiersChanged } from './linkifiers-changed';
import { messageEdited } from './message-edited';
import { messageSent } from './message-sent';
import { messageDeleted, messagesDeleted } from './messages-deleted';
import { messagesFilled } from './messages-filled';
import { messagesReturned } from './messages-returned';
import { mutedTopicsChanged } from './muted-topics-changed';
import { mutedUsersChanged } from './muted-users-changed';
import { navigationViewAdded } from './navigation-view-added';
import { navigationViewChanged } from './navigation-view-changed';
import { navigationViewRemoved } from './navigation-view-removed';
import { noticeAnnounced } from './notice-announced';
import { onboardingStepCompleted } from './onboarding-step-completed';
import { peersAdded } from './peers-added';
import { peersRemoved } from './peers-removed';
import { personJoined } from './person-joined';
import { playgroundsChanged } from './playgrounds-changed';
import { presenceChanged } from './presence-changed';
import { profileFieldsChanged } from './profile-fields-changed';
import { profileValueChanged } from './profile-value-changed';
import { reactionAdded } from './reaction-added';
import { reactionRemoved } from './reaction-removed';
import { realmChanged } from './realm-changed';
import { realmDeactivated } from './realm-deactivated';
import { realmFilled } from './realm-filled';
import { realmImageChanged } from './realm-image-changed';
import { realmPropertyChanged } from './realm-property-changed';
import { releaseChanged } from './release-changed';
import { reminderAdded } from './reminder-added';
import { reminderRemoved } from './reminder-removed';
import { savedSnippetAdded } from './saved-snippet-added';
import { savedSnippetChanged } from './saved-snippet-changed';
import { savedSnippetRemoved } from './saved-snippet-removed';
import { scheduledMessageAdded } from './scheduled-message-added';
import { scheduledMessageChanged } from './scheduled-message-changed';
import { scheduledMessageRemoved } from './scheduled-message-removed';
import { subgroupsAdded } from './subgroups-added';
import { subgroupsRemoved } from './subgroups-removed';
import { submessageAdded } from './submessage-added';
import { subscriptionAdded } from './subscription-added';
import { subscriptionChanged } from './subscription-changed';
import { subscriptionPropertyChanged } from './subscription-property-changed';
import { subscriptionRemoved } from './subscription-removed';
import { timezoneChanged } from './timezone-changed';
import { topicPolicyChanged } from './topic-policy-changed';
import { typingReported } from './typing-reported';
import { userCreated } from './user-created';
import { userDeactivated } from './user-deactivated';
import { userLost } from './user-lost';
import { userMet } from './user-met';
import { userReactivated } from './user-reactivated';
import { userRenamed } from './user-renamed';
import { userRoleChanged } from './user-role-changed';
import { userSettingChanged } from './user-setting-changed';
import { userSettingsDefaultChanged } from './user-settings-default-changed';
import { userStatusChanged } from './user-status-changed';
import { webhookBotsCalled } from './webhook-bots-called';

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
