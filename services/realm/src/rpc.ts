import { byCaller, type Implementation } from '@parley/shared/rpc';
import { addAlertWords } from './alert-words/add-alert-words';
import { getAlertWords } from './alert-words/get-alert-words';
import { removeAlertWords } from './alert-words/remove-alert-words';
import { authenticate } from './api-keys/authenticate';
import { getApiKeys } from './api-keys/get-api-keys';
import { regenerateApiKey } from './api-keys/regenerate-api-key';
import { revokeApiKey } from './api-keys/revoke-api-key';
import { createChannelFolder } from './channel-folders/create-channel-folder';
import { listChannelFolders } from './channel-folders/list-channel-folders';
import { reorderChannelFolders } from './channel-folders/reorder-channel-folders';
import { updateChannelFolder } from './channel-folders/update-channel-folder';
import type { Context } from './context';
import { addCustomEmoji } from './custom-emoji/add-custom-emoji';
import { deactivateCustomEmoji } from './custom-emoji/deactivate-custom-emoji';
import { getCustomEmojiImage } from './custom-emoji/get-custom-emoji-image';
import { listCustomEmoji } from './custom-emoji/list-custom-emoji';
import { addDefaultChannel } from './default-channels/add-default-channel';
import { removeDefaultChannel } from './default-channels/remove-default-channel';
import { addAllowedDomain } from './domains/add-allowed-domain';
import { listAllowedDomains } from './domains/list-allowed-domains';
import { removeAllowedDomain } from './domains/remove-allowed-domain';
import { updateAllowedDomain } from './domains/update-allowed-domain';
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
import { getUserProfiles } from './profile-values/get-user-profiles';
import { removeProfileValues } from './profile-values/remove-profile-values';
import { setProfileValues } from './profile-values/set-profile-values';
import { getReadFacts } from './read-facts/get-read-facts';
import { createRealm } from './realms/create-realm';
import { getRealm } from './realms/get-realm';
import { getRegisterState } from './register/get-register-state';
import { getSendFacts } from './send-facts/get-send-facts';
import { devFetchApiKey } from './sign-in/dev-fetch-api-key';
import { fetchApiKey } from './sign-in/fetch-api-key';
import { getUserStatus } from './statuses/get-user-status';
import { updateUserStatus } from './statuses/update-user-status';
import { getSubscribers } from './subscriptions/get-subscribers';
import { subscribe } from './subscriptions/subscribe';
import { updateUserSettings } from './user-settings/update-user-settings';
import { updateUserSettingsDefaults } from './user-settings/update-user-settings-defaults';
import { createUser } from './users/create-user';
import { getOwnUser } from './users/get-own-user';
import { getUsers } from './users/get-users';

/** Every method of proto/realm.proto and its action. */
export function implementation(ctx: Context): Implementation<'realm'> {
  return {
    authenticate: (_call, request) => authenticate(ctx, request),
    getRealm: (_call, request) => getRealm(ctx, request),
    getOwnUser: byCaller((caller) => getOwnUser(ctx, caller)),
    getUsers: byCaller((caller, request) => getUsers(ctx, caller, request)),
    getSendFacts: (_call, request) => getSendFacts(ctx, request),
    getReadFacts: byCaller((caller) => getReadFacts(ctx, caller)),
    getSubscribers: (_call, request) => getSubscribers(ctx, request),
    subscribe: byCaller((caller, request) => subscribe(ctx, caller, request)),
    getRegisterState: byCaller((caller) => getRegisterState(ctx, caller)),
    updateUserSettings: byCaller((caller, request) => updateUserSettings(ctx, caller, request)),
    updateUserSettingsDefaults: byCaller((caller, request) => updateUserSettingsDefaults(ctx, caller, request)),
    getUserStatus: byCaller((caller, request) => getUserStatus(ctx, caller, request)),
    updateUserStatus: byCaller((caller, request) => updateUserStatus(ctx, caller, request)),
    muteUser: byCaller((caller, request) => muteUser(ctx, caller, request)),
    unmuteUser: byCaller((caller, request) => unmuteUser(ctx, caller, request)),
    getAlertWords: byCaller((caller) => getAlertWords(ctx, caller)),
    addAlertWords: byCaller((caller, request) => addAlertWords(ctx, caller, request)),
    removeAlertWords: byCaller((caller, request) => removeAlertWords(ctx, caller, request)),
    getNavigationViews: byCaller((caller) => getNavigationViews(ctx, caller)),
    addNavigationView: byCaller((caller, request) => addNavigationView(ctx, caller, request)),
    updateNavigationView: byCaller((caller, request) => updateNavigationView(ctx, caller, request)),
    removeNavigationView: byCaller((caller, request) => removeNavigationView(ctx, caller, request)),
    fetchApiKey: (_call, request) => fetchApiKey(ctx, request),
    devFetchApiKey: (_call, request) => devFetchApiKey(ctx, request),
    regenerateApiKey: byCaller((caller) => regenerateApiKey(ctx, caller)),
    getApiKeys: byCaller((caller) => getApiKeys(ctx, caller)),
    revokeApiKey: byCaller((caller, request) => revokeApiKey(ctx, caller, request)),
    listLinkifiers: byCaller((caller) => listLinkifiers(ctx, caller)),
    addLinkifier: byCaller((caller, request) => addLinkifier(ctx, caller, request)),
    updateLinkifier: byCaller((caller, request) => updateLinkifier(ctx, caller, request)),
    removeLinkifier: byCaller((caller, request) => removeLinkifier(ctx, caller, request)),
    reorderLinkifiers: byCaller((caller, request) => reorderLinkifiers(ctx, caller, request)),
    addPlayground: byCaller((caller, request) => addPlayground(ctx, caller, request)),
    removePlayground: byCaller((caller, request) => removePlayground(ctx, caller, request)),
    listChannelFolders: byCaller((caller, request) => listChannelFolders(ctx, caller, request)),
    createChannelFolder: byCaller((caller, request) => createChannelFolder(ctx, caller, request)),
    updateChannelFolder: byCaller((caller, request) => updateChannelFolder(ctx, caller, request)),
    reorderChannelFolders: byCaller((caller, request) => reorderChannelFolders(ctx, caller, request)),
    addDefaultChannel: byCaller((caller, request) => addDefaultChannel(ctx, caller, request)),
    removeDefaultChannel: byCaller((caller, request) => removeDefaultChannel(ctx, caller, request)),
    listAllowedDomains: byCaller((caller) => listAllowedDomains(ctx, caller)),
    addAllowedDomain: byCaller((caller, request) => addAllowedDomain(ctx, caller, request)),
    updateAllowedDomain: byCaller((caller, request) => updateAllowedDomain(ctx, caller, request)),
    removeAllowedDomain: byCaller((caller, request) => removeAllowedDomain(ctx, caller, request)),
    listProfileFields: byCaller((caller) => listProfileFields(ctx, caller)),
    createProfileField: byCaller((caller, request) => createProfileField(ctx, caller, request)),
    updateProfileField: byCaller((caller, request) => updateProfileField(ctx, caller, request)),
    removeProfileField: byCaller((caller, request) => removeProfileField(ctx, caller, request)),
    reorderProfileFields: byCaller((caller, request) => reorderProfileFields(ctx, caller, request)),
    getUserProfiles: byCaller((caller, request) => getUserProfiles(ctx, caller, request)),
    setProfileValues: byCaller((caller, request) => setProfileValues(ctx, caller, request)),
    removeProfileValues: byCaller((caller, request) => removeProfileValues(ctx, caller, request)),
    listCustomEmoji: byCaller((caller) => listCustomEmoji(ctx, caller)),
    addCustomEmoji: byCaller((caller, request) => addCustomEmoji(ctx, caller, request)),
    deactivateCustomEmoji: byCaller((caller, request) => deactivateCustomEmoji(ctx, caller, request)),
    getCustomEmojiImage: (_call, request) => getCustomEmojiImage(ctx, request),
    listGroups: byCaller((caller, request) => listGroups(ctx, caller, request)),
    createGroup: byCaller((caller, request) => createGroup(ctx, caller, request)),
    updateGroup: byCaller((caller, request) => updateGroup(ctx, caller, request)),
    deactivateGroup: byCaller((caller, request) => deactivateGroup(ctx, caller, request)),
    getGroupMembers: byCaller((caller, request) => getGroupMembers(ctx, caller, request)),
    isGroupMember: byCaller((caller, request) => isGroupMember(ctx, caller, request)),
    changeGroupMembers: byCaller((caller, request) => changeGroupMembers(ctx, caller, request)),
    getSubgroups: byCaller((caller, request) => getSubgroups(ctx, caller, request)),
    changeSubgroups: byCaller((caller, request) => changeSubgroups(ctx, caller, request)),
    createRealm: (_call, request) => createRealm(ctx, request),
    createUser: (_call, request) => createUser(ctx, request),
  };
}
