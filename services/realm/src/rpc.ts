import { byCaller, type Implementation } from '@parley/shared/rpc';
import { getOwnUser } from './accounts/get-own-user';
import { getApiKeys, regenerateApiKey, revokeApiKey } from './api-keys/api-keys';
import { authenticate } from './api-keys/authenticate';
import { getAvatarImage, removeAvatar, setAvatar } from './avatars/avatars';
import { deactivateBot, getBotApiKey, getOwnBotDefaults, listOwnBots, regenerateBotApiKey } from './bots/bots';
import { createBot } from './bots/create-bot';
import { updateBot } from './bots/update-bot';
import { findChannel, getChannel, getChannelEmailAddress, getChannelMembers } from './channel-access/get-channel';
import {
  createChannelFolder,
  listChannelFolders,
  reorderChannelFolders,
  updateChannelFolder,
} from './channel-folders/channel-folders';
import { archiveChannel } from './channels/archive-channel';
import { listChannels } from './channels/list-channels';
import { updateChannel } from './channels/update-channel';
import type { Context } from './context';
import { getAttentions } from './facts/get-attentions';
import { getEditFacts } from './facts/get-edit-facts';
import { getChannelsOfReaders, getReadFacts } from './facts/get-read-facts';
import { getSendFacts } from './facts/get-send-facts';
import { fillRealm } from './fill/fill-realm';
import { getFillFacts } from './fill/get-fill-facts';
import { changeGroupMembers, changeSubgroups } from './groups/change-membership';
import { createGroup } from './groups/create-group';
import { getGroupMembers, getSubgroups, isGroupMember, listGroups } from './groups/list-groups';
import { deactivateGroup, updateGroup } from './groups/update-group';
import { createChannel } from './joining/create-channel';
import { changeOwnSubscriptions, listSubscriptions, subscribe, unsubscribe } from './joining/subscribe';
import { channelReader, getChannelObjects, getGroupList, getSubscriberLists } from './list-changes/list-versions';
import { getRealm } from './organization/change-organization';
import { deactivateRealm } from './organization/deactivate-realm';
import {
  addAllowedDomain,
  listAllowedDomains,
  removeAllowedDomain,
  updateAllowedDomain,
} from './organization-lists/allowed-domains';
import {
  addCustomEmoji,
  deactivateCustomEmoji,
  getCustomEmojiImage,
  listCustomEmoji,
} from './organization-lists/custom-emoji';
import {
  changeDefaultChannelGroupChannels,
  createDefaultChannelGroup,
  removeDefaultChannelGroup,
  updateDefaultChannelGroup,
} from './organization-lists/default-channel-groups';
import { addDefaultChannel, removeDefaultChannel } from './organization-lists/default-channels';
import {
  addLinkifier,
  listLinkifiers,
  removeLinkifier,
  reorderLinkifiers,
  updateLinkifier,
} from './organization-lists/linkifiers';
import { addPlayground, removePlayground } from './organization-lists/playgrounds';
import { findUser, listUserChannels } from './people/find-user';
import {
  createProfileField,
  listProfileFields,
  removeProfileField,
  reorderProfileFields,
  updateProfileField,
} from './profiles/profile-fields';
import { getUserProfiles, removeProfileValues, setProfileValues } from './profiles/profile-values';
import { createRealm } from './realms/create-realm';
import { getOrganizationImage, removeOrganizationImage, setOrganizationImage } from './realms/realm-images';
import { updateRealm } from './realms/update-realm';
import { ownStateReader } from './register/get-own-state';
import { getRegisterState } from './register/get-register-state';
import { organizationReader } from './register/organization-state';
import { admitVisitor } from './register/visitors';
import { noteRelease } from './retention/note-release';
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
import { devFetchApiKey, fetchApiKey } from './sign-in/sign-in';
import { updateSubscriptionProperties } from './subscriptions/update-subscription-properties';
import { updateUserSettingsDefaults } from './user-settings/update-user-settings-defaults';
import { addUser } from './users/add-user';
import { createUser } from './users/create-user';
import { deactivateOwnUser, deactivateUser } from './users/deactivate-user';
import { getUserLists, getUsers, listUsers } from './users/list-users';
import { reactivateUser } from './users/reactivate-user';
import { permitUser, updateUser } from './users/update-user';
import { updateUserSettings } from './users/update-user-settings';

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
    getChannelsOfReaders: (_call, request) => getChannelsOfReaders(ctx, request),
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
