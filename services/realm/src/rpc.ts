import { byCaller, type Implementation } from '@parley/shared/rpc';
import { authenticate } from './api-keys/authenticate';
import { getApiKeys } from './api-keys/get-api-keys';
import { regenerateApiKey } from './api-keys/regenerate-api-key';
import { revokeApiKey } from './api-keys/revoke-api-key';
import { getAttentions } from './attentions/get-attentions';
import { getAvatarImage } from './avatars/get-avatar-image';
import { removeAvatar } from './avatars/remove-avatar';
import { setAvatar } from './avatars/set-avatar';
import { createBot } from './bots/create-bot';
import { deactivateBot } from './bots/deactivate-bot';
import { getBotApiKey } from './bots/get-bot-api-key';
import { getOwnBotDefaults } from './bots/get-own-bot-defaults';
import { listOwnBots } from './bots/list-own-bots';
import { regenerateBotApiKey } from './bots/regenerate-bot-api-key';
import { updateBot } from './bots/update-bot';
import { createChannelFolder } from './channel-folders/create-channel-folder';
import { listChannelFolders } from './channel-folders/list-channel-folders';
import { reorderChannelFolders } from './channel-folders/reorder-channel-folders';
import { updateChannelFolder } from './channel-folders/update-channel-folder';
import { archiveChannel } from './channels/archive-channel';
import { createChannel } from './channels/create-channel';
import { findChannel } from './channels/find-channel';
import { getChannel } from './channels/get-channel';
import { getChannelEmailAddress } from './channels/get-channel-email-address';
import { getChannelMembers } from './channels/get-channel-members';
import { listChannels } from './channels/list-channels';
import { updateChannel } from './channels/update-channel';
import type { Context } from './context';
import { addCustomEmoji } from './custom-emoji/add-custom-emoji';
import { deactivateCustomEmoji } from './custom-emoji/deactivate-custom-emoji';
import { getCustomEmojiImage } from './custom-emoji/get-custom-emoji-image';
import { listCustomEmoji } from './custom-emoji/list-custom-emoji';
import { changeDefaultChannelGroupChannels } from './default-channel-groups/change-default-channel-group-channels';
import { createDefaultChannelGroup } from './default-channel-groups/create-default-channel-group';
import { removeDefaultChannelGroup } from './default-channel-groups/remove-default-channel-group';
import { updateDefaultChannelGroup } from './default-channel-groups/update-default-channel-group';
import { addDefaultChannel } from './default-channels/add-default-channel';
import { removeDefaultChannel } from './default-channels/remove-default-channel';
import { addAllowedDomain } from './domains/add-allowed-domain';
import { listAllowedDomains } from './domains/list-allowed-domains';
import { removeAllowedDomain } from './domains/remove-allowed-domain';
import { updateAllowedDomain } from './domains/update-allowed-domain';
import { getEditFacts } from './edit-facts/get-edit-facts';
import { fillRealm } from './fill/fill-realm';
import { getFillFacts } from './fill/get-fill-facts';
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
import { getOrganizationImage } from './realm-images/get-organization-image';
import { removeOrganizationImage } from './realm-images/remove-organization-image';
import { setOrganizationImage } from './realm-images/set-organization-image';
import { createRealm } from './realms/create-realm';
import { deactivateRealm } from './realms/deactivate-realm';
import { getRealm } from './realms/get-realm';
import { updateRealm } from './realms/update-realm';
import { getChannelObjects } from './register/get-channel-objects';
import { getGroupList } from './register/get-group-list';
import { ownStateReader } from './register/get-own-state';
import { getRegisterState } from './register/get-register-state';
import { getSubscriberLists } from './register/get-subscriber-lists';
import { channelReader } from './register/known-channels';
import { organizationReader } from './register/organization-state';
import { noteRelease } from './releases/note-release';
import { audienceMethods } from './rpc/audience-methods';
import { auditMethods } from './rpc/audit-methods';
import { dataExportMethods } from './rpc/data-export-methods';
import { inviteMethods } from './rpc/invite-methods';
import { operatorMethods } from './rpc/operator-methods';
import { ownMethods } from './rpc/own-methods';
import { presenceMethods } from './rpc/presence-methods';
import { quietChannelMethods } from './rpc/quiet-channel-methods';
import { retentionMethods } from './rpc/retention-methods';
import { webhookMethods } from './rpc/webhook-methods';
import { getSendFacts } from './send-facts/get-send-facts';
import { devFetchApiKey } from './sign-in/dev-fetch-api-key';
import { fetchApiKey } from './sign-in/fetch-api-key';
import { changeOwnSubscriptions } from './subscriptions/change-own-subscriptions';
import { listSubscriptions } from './subscriptions/list-subscriptions';
import { subscribe } from './subscriptions/subscribe';
import { unsubscribe } from './subscriptions/unsubscribe';
import { updateSubscriptionProperties } from './subscriptions/update-subscription-properties';
import { updateUserSettings } from './user-settings/update-user-settings';
import { updateUserSettingsDefaults } from './user-settings/update-user-settings-defaults';
import { addUser } from './users/add-user';
import { createUser } from './users/create-user';
import { deactivateOwnUser } from './users/deactivate-own-user';
import { deactivateUser } from './users/deactivate-user';
import { findUser } from './users/find-user';
import { getOwnUser } from './users/get-own-user';
import { getUserLists } from './users/get-user-lists';
import { getUsers } from './users/get-users';
import { listUserChannels } from './users/list-user-channels';
import { listUsers } from './users/list-users';
import { permitUser } from './users/permit-user';
import { reactivateUser } from './users/reactivate-user';
import { updateUser } from './users/update-user';
import { admitVisitor } from './visitors/admit-visitor';

/** Every method of proto/realm.proto and its action. */
export function implementation(ctx: Context): Implementation<'realm'> {
  const channelsOf = channelReader(ctx);
  const ownStateOf = ownStateReader(ctx, { organizationOf: organizationReader(ctx), channelsOf });
  return {
    authenticate: (_call, request) => authenticate(ctx, request),
    getRealm: (_call, request) => getRealm(ctx, request),
    getOwnUser: byCaller((caller) => getOwnUser(ctx, caller)),
    getUsers: byCaller((caller, request) => getUsers(ctx, caller, request)),
    listUsers: byCaller((caller, request) => listUsers(ctx, caller, request)),
    findUser: byCaller((caller, request) => findUser(ctx, caller, request)),
    addUser: byCaller((caller, request) => addUser(ctx, caller, request)),
    updateUser: byCaller((caller, request) => updateUser(ctx, caller, request)),
    deactivateUser: byCaller((caller, request) => deactivateUser(ctx, caller, request)),
    deactivateOwnUser: byCaller((caller) => deactivateOwnUser(ctx, caller)),
    reactivateUser: byCaller((caller, request) => reactivateUser(ctx, caller, request)),
    listUserChannels: byCaller((caller, request) => listUserChannels(ctx, caller, request)),
    setAvatar: byCaller((caller, request) => setAvatar(ctx, caller, request)),
    removeAvatar: byCaller((caller) => removeAvatar(ctx, caller)),
    getAvatarImage: (_call, request) => getAvatarImage(ctx, request),
    getSendFacts: (_call, request) => getSendFacts(ctx, request),
    getReadFacts: byCaller((caller, request) => getReadFacts(ctx, caller, request)),
    admitVisitor: (_call, request) => admitVisitor(ctx, request),
    getEditFacts: byCaller((caller, request) => getEditFacts(ctx, caller, request)),
    getAttentions: (_call, request) => getAttentions(ctx, request),
    subscribe: byCaller((caller, request) => subscribe(ctx, caller, request)),
    unsubscribe: byCaller((caller, request) => unsubscribe(ctx, caller, request)),
    changeOwnSubscriptions: byCaller((caller, request) => changeOwnSubscriptions(ctx, caller, request)),
    updateSubscriptionProperties: byCaller((caller, request) => updateSubscriptionProperties(ctx, caller, request)),
    listSubscriptions: byCaller((caller) => listSubscriptions(ctx, caller)),
    getRegisterState: byCaller((caller, request) => getRegisterState(ctx, caller, request)),
    getSnapshot: () => ctx.db.readAtOnce(async () => {}),
    getOwnState: byCaller(ownStateOf),
    getUserLists: byCaller((caller, request) => getUserLists(ctx, caller, request)),
    getGroupList: byCaller((caller, request) => getGroupList(ctx, caller, request)),
    getChannelObjects: byCaller((caller, request) => getChannelObjects(channelsOf, caller, request)),
    getSubscriberLists: byCaller((caller, request) => getSubscriberLists(ctx, caller, request)),
    updateUserSettings: byCaller((caller, request) => updateUserSettings(ctx, caller, request)),
    updateUserSettingsDefaults: byCaller((caller, request) => updateUserSettingsDefaults(ctx, caller, request)),
    fetchApiKey: (call, request) => fetchApiKey(ctx, request, call.clientAddress),
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
    listChannels: byCaller((caller, request) => listChannels(ctx, channelsOf, caller, request)),
    getChannel: byCaller((caller, request) => getChannel(ctx, caller, request)),
    findChannel: byCaller((caller, request) => findChannel(ctx, caller, request)),
    getChannelMembers: byCaller((caller, request) => getChannelMembers(ctx, caller, request)),
    getChannelEmailAddress: byCaller((caller, request) => getChannelEmailAddress(ctx, caller, request)),
    createChannel: byCaller((caller, request) => createChannel(ctx, caller, request)),
    updateChannel: byCaller((caller, request) => updateChannel(ctx, caller, request)),
    archiveChannel: byCaller((caller, request) => archiveChannel(ctx, caller, request)),
    createDefaultChannelGroup: byCaller((caller, request) => createDefaultChannelGroup(ctx, caller, request)),
    updateDefaultChannelGroup: byCaller((caller, request) => updateDefaultChannelGroup(ctx, caller, request)),
    changeDefaultChannelGroupChannels: byCaller((caller, request) =>
      changeDefaultChannelGroupChannels(ctx, caller, request),
    ),
    removeDefaultChannelGroup: byCaller((caller, request) => removeDefaultChannelGroup(ctx, caller, request)),
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
    updateRealm: byCaller((caller, request) => updateRealm(ctx, caller, request)),
    setOrganizationImage: byCaller((caller, request) => setOrganizationImage(ctx, caller, request)),
    removeOrganizationImage: byCaller((caller, request) => removeOrganizationImage(ctx, caller, request)),
    getOrganizationImage: (_call, request) => getOrganizationImage(ctx, request),
    deactivateRealm: byCaller((caller, request) => deactivateRealm(ctx, caller, request)),
    createBot: byCaller((caller, request) => createBot(ctx, caller, request)),
    listOwnBots: byCaller((caller) => listOwnBots(ctx, caller)),
    getOwnBotDefaults: byCaller((caller) => getOwnBotDefaults(ctx, caller)),
    updateBot: byCaller((caller, request) => updateBot(ctx, caller, request)),
    deactivateBot: byCaller((caller, request) => deactivateBot(ctx, caller, request)),
    getBotApiKey: byCaller((caller, request) => getBotApiKey(ctx, caller, request)),
    regenerateBotApiKey: byCaller((caller, request) => regenerateBotApiKey(ctx, caller, request)),
    createRealm: (_call, request) => createRealm(ctx, request),
    createUser: (_call, request) => createUser(ctx, request),
    permitUser: (_call, request) => permitUser(ctx, request),
    fillRealm: (_call, request) => fillRealm(ctx, request),
    getFillFacts: (_call, request) => getFillFacts(ctx, request),
    noteRelease: (_call, request) => noteRelease(ctx, request),
    ...audienceMethods(ctx),
    ...dataExportMethods(ctx),
    ...inviteMethods(ctx),
    ...operatorMethods(ctx),
    ...ownMethods(ctx),
    ...presenceMethods(ctx),
    ...webhookMethods(ctx),
    ...quietChannelMethods(ctx),
    ...retentionMethods(ctx),
    ...auditMethods(ctx),
  };
}
