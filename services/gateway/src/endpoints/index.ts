import type { Endpoint } from '../http/endpoint';
import { addAlertWords } from './alert-words/add-alert-words';
import { getAlertWords } from './alert-words/get-alert-words';
import { removeAlertWords } from './alert-words/remove-alert-words';
import { devFetchApiKey } from './api-keys/dev-fetch-api-key';
import { fetchApiKey } from './api-keys/fetch-api-key';
import { getApiKeys } from './api-keys/get-api-keys';
import { regenerateApiKey } from './api-keys/regenerate-api-key';
import { revokeApiKey } from './api-keys/revoke-api-key';
import { createChannelFolder } from './channel-folders/create-channel-folder';
import { listChannelFolders } from './channel-folders/list-channel-folders';
import { reorderChannelFolders } from './channel-folders/reorder-channel-folders';
import { updateChannelFolder } from './channel-folders/update-channel-folder';
import { subscribe } from './channels/subscribe';
import { addCustomEmoji } from './custom-emoji/add-custom-emoji';
import { deactivateCustomEmoji } from './custom-emoji/deactivate-custom-emoji';
import { listCustomEmoji } from './custom-emoji/list-custom-emoji';
import { addDefaultChannel } from './default-channels/add-default-channel';
import { removeDefaultChannel } from './default-channels/remove-default-channel';
import { addAllowedDomain } from './domains/add-allowed-domain';
import { listAllowedDomains } from './domains/list-allowed-domains';
import { removeAllowedDomain } from './domains/remove-allowed-domain';
import { updateAllowedDomain } from './domains/update-allowed-domain';
import { deleteQueue } from './events/delete-queue';
import { getEvents } from './events/get-events';
import { registerQueue } from './events/register-queue';
import { changeGroupMembers } from './groups/change-group-members';
import { changeSubgroups } from './groups/change-subgroups';
import { createGroup } from './groups/create-group';
import { deactivateGroup } from './groups/deactivate-group';
import { getGroupMembers } from './groups/get-group-members';
import { getSubgroups } from './groups/get-subgroups';
import { isGroupMember } from './groups/is-group-member';
import { listGroups } from './groups/list-groups';
import { updateGroup } from './groups/update-group';
import { addLinkifier } from './linkifiers/add-linkifier';
import { listLinkifiers } from './linkifiers/list-linkifiers';
import { removeLinkifier } from './linkifiers/remove-linkifier';
import { reorderLinkifiers } from './linkifiers/reorder-linkifiers';
import { updateLinkifier } from './linkifiers/update-linkifier';
import { getMessage } from './messages/get-message';
import { getMessages } from './messages/get-messages';
import { sendMessage } from './messages/send-message';
import { muteUser } from './muted-users/mute-user';
import { unmuteUser } from './muted-users/unmute-user';
import { addNavigationView } from './navigation-views/add-navigation-view';
import { getNavigationViews } from './navigation-views/get-navigation-views';
import { removeNavigationView } from './navigation-views/remove-navigation-view';
import { updateNavigationView } from './navigation-views/update-navigation-view';
import { addPlayground } from './playgrounds/add-playground';
import { removePlayground } from './playgrounds/remove-playground';
import { createProfileField } from './profile-fields/create-profile-field';
import { listProfileFields } from './profile-fields/list-profile-fields';
import { removeProfileField } from './profile-fields/remove-profile-field';
import { reorderProfileFields } from './profile-fields/reorder-profile-fields';
import { updateProfileField } from './profile-fields/update-profile-field';
import { removeProfileValues } from './profile-values/remove-profile-values';
import { setProfileValues } from './profile-values/set-profile-values';
import { getServerSettings } from './server/get-server-settings';
import { updateDisplaySettings } from './settings/update-display-settings';
import { updateNotificationsSettings } from './settings/update-notifications-settings';
import { updateUserSettings } from './settings/update-user-settings';
import { updateUserSettingsDefaults } from './settings/update-user-settings-defaults';
import { getUserStatus } from './statuses/get-user-status';
import { updateOwnStatus } from './statuses/update-own-status';
import { updateUserStatus } from './statuses/update-user-status';
import { getOwnUser } from './users/get-own-user';

export {
  addAlertWords,
  addAllowedDomain,
  addCustomEmoji,
  addDefaultChannel,
  addLinkifier,
  addNavigationView,
  addPlayground,
  changeGroupMembers,
  changeSubgroups,
  createChannelFolder,
  createGroup,
  createProfileField,
  deactivateCustomEmoji,
  deactivateGroup,
  deleteQueue,
  devFetchApiKey,
  fetchApiKey,
  getAlertWords,
  getApiKeys,
  getEvents,
  getGroupMembers,
  getMessage,
  getMessages,
  getNavigationViews,
  getOwnUser,
  getServerSettings,
  getSubgroups,
  getUserStatus,
  isGroupMember,
  listAllowedDomains,
  listChannelFolders,
  listCustomEmoji,
  listGroups,
  listLinkifiers,
  listProfileFields,
  muteUser,
  regenerateApiKey,
  registerQueue,
  removeAlertWords,
  removeAllowedDomain,
  removeDefaultChannel,
  removeLinkifier,
  removeNavigationView,
  removePlayground,
  removeProfileField,
  removeProfileValues,
  reorderChannelFolders,
  reorderLinkifiers,
  reorderProfileFields,
  revokeApiKey,
  sendMessage,
  setProfileValues,
  subscribe,
  unmuteUser,
  updateAllowedDomain,
  updateChannelFolder,
  updateDisplaySettings,
  updateGroup,
  updateLinkifier,
  updateNavigationView,
  updateNotificationsSettings,
  updateOwnStatus,
  updateProfileField,
  updateUserSettings,
  updateUserSettingsDefaults,
  updateUserStatus,
};

/** Every operation of the API. */
export const endpoints: readonly Endpoint[] = [
  getServerSettings,
  getOwnUser,
  sendMessage,
  getMessages,
  getMessage,
  subscribe,
  registerQueue,
  getEvents,
  deleteQueue,
  addAlertWords,
  getAlertWords,
  removeAlertWords,
  devFetchApiKey,
  fetchApiKey,
  getApiKeys,
  regenerateApiKey,
  revokeApiKey,
  muteUser,
  unmuteUser,
  addNavigationView,
  getNavigationViews,
  removeNavigationView,
  updateNavigationView,
  updateDisplaySettings,
  updateNotificationsSettings,
  updateUserSettings,
  updateUserSettingsDefaults,
  getUserStatus,
  updateOwnStatus,
  updateUserStatus,
  addLinkifier,
  listLinkifiers,
  removeLinkifier,
  reorderLinkifiers,
  updateLinkifier,
  addPlayground,
  removePlayground,
  createChannelFolder,
  listChannelFolders,
  reorderChannelFolders,
  updateChannelFolder,
  addDefaultChannel,
  removeDefaultChannel,
  addAllowedDomain,
  listAllowedDomains,
  removeAllowedDomain,
  updateAllowedDomain,
  createProfileField,
  listProfileFields,
  removeProfileField,
  reorderProfileFields,
  updateProfileField,
  removeProfileValues,
  setProfileValues,
  addCustomEmoji,
  deactivateCustomEmoji,
  listCustomEmoji,
  listGroups,
  createGroup,
  updateGroup,
  deactivateGroup,
  getGroupMembers,
  changeGroupMembers,
  isGroupMember,
  getSubgroups,
  changeSubgroups,
];
