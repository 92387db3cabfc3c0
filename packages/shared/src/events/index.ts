import { alertWordsChanged } from './alert-words-changed';
import { allowedDomainAdded } from './allowed-domain-added';
import { allowedDomainChanged } from './allowed-domain-changed';
import { allowedDomainRemoved } from './allowed-domain-removed';
import { apiKeyRevoked } from './api-key-revoked';
import { avatarChanged } from './avatar-changed';
import { botChanged } from './bot-changed';
import { botCreated } from './bot-created';
import { botOwnerChanged } from './bot-owner-changed';
import { channelAppeared } from './channel-appeared';
import { channelArchived } from './channel-archived';
import { channelChanged } from './channel-changed';
import { channelFolderChanged } from './channel-folder-changed';
import { channelFolderCreated } from './channel-folder-created';
import { channelFoldersReordered } from './channel-folders-reordered';
import { channelVanished } from './channel-vanished';
import { customEmojiChanged } from './custom-emoji-changed';
import { defaultChannelGroupsChanged } from './default-channel-groups-changed';
import { defaultChannelsChanged } from './default-channels-changed';
import { directConversationBegun } from './direct-conversation-begun';
import { emailChanged } from './email-changed';
import { emailVisibilityChanged } from './email-visibility-changed';
import { exportConsentChanged } from './export-consent-changed';
import { groupCreated } from './group-created';
import { groupDeactivated } from './group-deactivated';
import { groupMembersAdded } from './group-members-added';
import { groupMembersRemoved } from './group-members-removed';
import { groupReactivated } from './group-reactivated';
import { groupUpdated } from './group-updated';
import { linkifiersChanged } from './linkifiers-changed';
import { messageSent } from './message-sent';
import { mutedUsersChanged } from './muted-users-changed';
import { navigationViewAdded } from './navigation-view-added';
import { navigationViewChanged } from './navigation-view-changed';
import { navigationViewRemoved } from './navigation-view-removed';
import { noticeAnnounced } from './notice-announced';
import { peersAdded } from './peers-added';
import { peersRemoved } from './peers-removed';
import { playgroundsChanged } from './playgrounds-changed';
import { profileFieldsChanged } from './profile-fields-changed';
import { profileValueChanged } from './profile-value-changed';
import { realmChanged } from './realm-changed';
import { realmDeactivated } from './realm-deactivated';
import { realmFilled } from './realm-filled';
import { realmImageChanged } from './realm-image-changed';
import { realmPropertyChanged } from './realm-property-changed';
import { subgroupsAdded } from './subgroups-added';
import { subgroupsRemoved } from './subgroups-removed';
import { subscriptionAdded } from './subscription-added';
import { subscriptionChanged } from './subscription-changed';
import { subscriptionPropertyChanged } from './subscription-property-changed';
import { subscriptionRemoved } from './subscription-removed';
import { timezoneChanged } from './timezone-changed';
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

/** Every domain event there is. */
export const domainEvents = {
  [botChanged.kind]: botChanged,
  [botCreated.kind]: botCreated,
  [botOwnerChanged.kind]: botOwnerChanged,
  [messageSent.kind]: messageSent,
  [directConversationBegun.kind]: directConversationBegun,
  [subscriptionChanged.kind]: subscriptionChanged,
  [subscriptionAdded.kind]: subscriptionAdded,
  [subscriptionRemoved.kind]: subscriptionRemoved,
  [subscriptionPropertyChanged.kind]: subscriptionPropertyChanged,
  [peersAdded.kind]: peersAdded,
  [peersRemoved.kind]: peersRemoved,
  [alertWordsChanged.kind]: alertWordsChanged,
  [apiKeyRevoked.kind]: apiKeyRevoked,
  [noticeAnnounced.kind]: noticeAnnounced,
  [emailVisibilityChanged.kind]: emailVisibilityChanged,
  [exportConsentChanged.kind]: exportConsentChanged,
  [mutedUsersChanged.kind]: mutedUsersChanged,
  [navigationViewAdded.kind]: navigationViewAdded,
  [navigationViewChanged.kind]: navigationViewChanged,
  [navigationViewRemoved.kind]: navigationViewRemoved,
  [timezoneChanged.kind]: timezoneChanged,
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
  [linkifiersChanged.kind]: linkifiersChanged,
  [playgroundsChanged.kind]: playgroundsChanged,
  [channelFolderCreated.kind]: channelFolderCreated,
  [channelAppeared.kind]: channelAppeared,
  [channelArchived.kind]: channelArchived,
  [channelChanged.kind]: channelChanged,
  [channelVanished.kind]: channelVanished,
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
};

export type EventKind = keyof typeof domainEvents;

export * from './alert-words-changed';
export * from './allowed-domain-added';
export * from './allowed-domain-changed';
export * from './allowed-domain-removed';
export * from './api-key-revoked';
export * from './audience';
export * from './avatar-changed';
export * from './bot-changed';
export * from './bot-created';
export * from './bot-owner-changed';
export * from './channel-appeared';
export * from './channel-archived';
export * from './channel-changed';
export * from './channel-folder-changed';
export * from './channel-folder-created';
export * from './channel-folders-reordered';
export * from './channel-vanished';
export * from './custom-emoji-changed';
export * from './declare-event';
export * from './default-channel-groups-changed';
export * from './default-channels-changed';
export * from './direct-conversation-begun';
export * from './email-changed';
export * from './email-visibility-changed';
export * from './export-consent-changed';
export * from './group-created';
export * from './group-deactivated';
export * from './group-members-added';
export * from './group-members-removed';
export * from './group-reactivated';
export * from './group-updated';
export * from './linkifiers-changed';
export * from './message-sent';
export * from './muted-users-changed';
export * from './navigation-view-added';
export * from './navigation-view-changed';
export * from './navigation-view-removed';
export * from './notice-announced';
export * from './peers';
export * from './peers-added';
export * from './peers-removed';
export * from './playgrounds-changed';
export * from './profile-fields-changed';
export * from './profile-value-changed';
export * from './realm-changed';
export * from './realm-deactivated';
export * from './realm-filled';
export * from './realm-image-changed';
export * from './realm-property-changed';
export * from './subgroups-added';
export * from './subgroups-removed';
export * from './subscription-added';
export * from './subscription-changed';
export * from './subscription-property-changed';
export * from './subscription-removed';
export * from './timezone-changed';
export * from './user-created';
export * from './user-deactivated';
export * from './user-lost';
export * from './user-met';
export * from './user-reactivated';
export * from './user-renamed';
export * from './user-role-changed';
export * from './user-setting-changed';
export * from './user-settings-default-changed';
export * from './user-status-changed';
