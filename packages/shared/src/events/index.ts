import { alertWordsChanged } from './alert-words-changed';
import { allowedDomainAdded } from './allowed-domain-added';
import { allowedDomainChanged } from './allowed-domain-changed';
import { allowedDomainRemoved } from './allowed-domain-removed';
import { apiKeyRevoked } from './api-key-revoked';
import { channelFolderChanged } from './channel-folder-changed';
import { channelFolderCreated } from './channel-folder-created';
import { channelFoldersReordered } from './channel-folders-reordered';
import { customEmojiChanged } from './custom-emoji-changed';
import { defaultChannelsChanged } from './default-channels-changed';
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
import { playgroundsChanged } from './playgrounds-changed';
import { profileFieldsChanged } from './profile-fields-changed';
import { profileValueChanged } from './profile-value-changed';
import { subgroupsAdded } from './subgroups-added';
import { subgroupsRemoved } from './subgroups-removed';
import { subscriptionChanged } from './subscription-changed';
import { timezoneChanged } from './timezone-changed';
import { userRenamed } from './user-renamed';
import { userSettingChanged } from './user-setting-changed';
import { userSettingsDefaultChanged } from './user-settings-default-changed';
import { userStatusChanged } from './user-status-changed';

/** Every domain event there is. */
export const domainEvents = {
  [messageSent.kind]: messageSent,
  [subscriptionChanged.kind]: subscriptionChanged,
  [alertWordsChanged.kind]: alertWordsChanged,
  [apiKeyRevoked.kind]: apiKeyRevoked,
  [emailVisibilityChanged.kind]: emailVisibilityChanged,
  [exportConsentChanged.kind]: exportConsentChanged,
  [mutedUsersChanged.kind]: mutedUsersChanged,
  [navigationViewAdded.kind]: navigationViewAdded,
  [navigationViewChanged.kind]: navigationViewChanged,
  [navigationViewRemoved.kind]: navigationViewRemoved,
  [timezoneChanged.kind]: timezoneChanged,
  [userRenamed.kind]: userRenamed,
  [userSettingChanged.kind]: userSettingChanged,
  [userSettingsDefaultChanged.kind]: userSettingsDefaultChanged,
  [userStatusChanged.kind]: userStatusChanged,
  [linkifiersChanged.kind]: linkifiersChanged,
  [playgroundsChanged.kind]: playgroundsChanged,
  [channelFolderCreated.kind]: channelFolderCreated,
  [channelFolderChanged.kind]: channelFolderChanged,
  [channelFoldersReordered.kind]: channelFoldersReordered,
  [allowedDomainAdded.kind]: allowedDomainAdded,
  [allowedDomainChanged.kind]: allowedDomainChanged,
  [allowedDomainRemoved.kind]: allowedDomainRemoved,
  [defaultChannelsChanged.kind]: defaultChannelsChanged,
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
};

export type EventKind = keyof typeof domainEvents;

export * from './alert-words-changed';
export * from './allowed-domain-added';
export * from './allowed-domain-changed';
export * from './allowed-domain-removed';
export * from './api-key-revoked';
export * from './audience';
export * from './channel-folder-changed';
export * from './channel-folder-created';
export * from './channel-folders-reordered';
export * from './custom-emoji-changed';
export * from './declare-event';
export * from './default-channels-changed';
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
export * from './playgrounds-changed';
export * from './profile-fields-changed';
export * from './profile-value-changed';
export * from './subgroups-added';
export * from './subgroups-removed';
export * from './subscription-changed';
export * from './timezone-changed';
export * from './user-renamed';
export * from './user-setting-changed';
export * from './user-settings-default-changed';
export * from './user-status-changed';
