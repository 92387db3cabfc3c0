import type { FetchedApiKey, UserRef } from '@parley/shared/proto';
import type { Call, Caller } from '@parley/shared/rpc';
import { holdersOfKey } from '../accounts/password-keys';
import { findUsersByAddresses } from '../accounts/users.sql';
import { possibleIds, possibleTexts } from '../base/possible-values';
import { hashConfirmationKey } from '../email-changes/email-changes';
import { findEmailChangeByKey } from '../email-changes/email-changes.sql';
import type { Act, ActingMethod, RequestOf, Scene } from './with-audit';

const theOrganization = ({ realmId }: Scene<unknown>) => [realmId];
const itself = { changes: { organization: theOrganization } };
const theCaller = ({ call }: Scene<unknown>) => ('userId' in call ? [call.userId] : []);
const theUser = ({ request }: Scene<{ userId: number }>) => possibleIds([request.userId]);
const theBot = ({ request }: Scene<{ botId: number }>) => possibleIds([request.botId]);
const theChannel = ({ request }: Scene<{ channelId: number }>) => possibleIds([request.channelId]);
const theGroup = ({ request }: Scene<{ groupId: number }>) => possibleIds([request.groupId]);

/**
 * The administrative acts among the methods, with their subjects; null: not administrative. Every method that changes data must be
 * listed, or this does not compile.
 */
export const ACTS: { readonly [M in ActingMethod]: Act<RequestOf<M>> | null } = {
  // Accounts.
  addUser: { makes: ['user'] },
  updateUser: { changes: { user: ({ tx, realmId, request }) => userNamed(tx, realmId, request.user) } },
  deactivateUser: { changes: { user: theUser } },
  deactivateOwnUser: { changes: { user: theCaller } },
  reactivateUser: { changes: { user: theUser } },
  openInvitedAccount: { makes: ['user'] },
  // Asking for the mail changes nothing.
  requestPasswordReset: null,
  setForgottenPassword: { changes: { user: ({ request: { key } }) => holdersOfKey(key) } },
  confirmEmailChange: { changes: { user: accountOfKey } },
  // Only a new password is an administrative act.
  updateUserSettings: { changes: { user: theCaller }, concerns: ({ newPassword }) => Boolean(newPassword) },
  // Keys. Failed sign-ins are counted; see recordFailures().
  fetchApiKey: { touches: { kind: 'user', ids: whoSignsIn }, name: 'sign-in' },
  devFetchApiKey: { touches: { kind: 'user', ids: whoSignsIn }, name: 'sign-in' },
  addOwnApiKey: { changes: { user: theCaller } },
  regenerateApiKey: { changes: { user: theCaller } },
  revokeApiKey: { changes: { user: theCaller } },
  // Bots.
  createBot: { makes: ['user'] },
  updateBot: { changes: { user: theBot } },
  deactivateBot: { changes: { user: theBot } },
  regenerateBotApiKey: { changes: { user: theBot } },
  getBotApiKey: { changes: { user: theBot }, touches: { kind: 'user', ids: theBot } },
  // Recorded only if a new key is made; viewing own bots is not recorded.
  listOwnBots: { changes: { user: theCaller } },
  // Groups.
  createGroup: { makes: ['group'] },
  updateGroup: { changes: { group: theGroup } },
  deactivateGroup: { changes: { group: theGroup } },
  changeGroupMembers: { changes: { group: theGroup } },
  changeSubgroups: { changes: { group: theGroup } },
  // Channels.
  createChannel: { makes: ['channel'] },
  updateChannel: { changes: { channel: theChannel } },
  archiveChannel: { changes: { channel: theChannel, organization: theOrganization } },
  subscribe: { makes: ['channel'] },
  changeOwnSubscriptions: { makes: ['channel'] },
  unsubscribe: null,
  updateSubscriptionProperties: null,
  setQuietChannels: null,
  holdLeases: null,
  // The organization and its lists.
  updateRealm: itself,
  deactivateRealm: itself,
  updateUserSettingsDefaults: itself,
  setOrganizationImage: itself,
  removeOrganizationImage: itself,
  createDataExport: itself,
  deleteDataExport: itself,
  addLinkifier: itself,
  updateLinkifier: itself,
  removeLinkifier: itself,
  reorderLinkifiers: itself,
  addPlayground: itself,
  removePlayground: itself,
  createChannelFolder: itself,
  updateChannelFolder: itself,
  reorderChannelFolders: itself,
  createDefaultChannelGroup: itself,
  updateDefaultChannelGroup: itself,
  changeDefaultChannelGroupChannels: itself,
  removeDefaultChannelGroup: itself,
  addDefaultChannel: itself,
  removeDefaultChannel: itself,
  addAllowedDomain: itself,
  updateAllowedDomain: itself,
  removeAllowedDomain: itself,
  createProfileField: itself,
  updateProfileField: itself,
  removeProfileField: itself,
  reorderProfileFields: itself,
  addCustomEmoji: itself,
  deactivateCustomEmoji: itself,
  addOidcProvider: itself,
  updateOidcProvider: itself,
  removeOidcProvider: itself,
  forgetOidcIdentities: { changes: { user: theUser } },
  testOidcProvider: null,
  beginOidcSignIn: null,
  // Records itself: the account is known only when the provider has answered.
  finishOidcSignIn: null,
  redeemLoginToken: null,
  endOidcSessions: null,
  // The operator.
  createRealm: { changes: { organization: theOrganization }, makes: ['user'], isOperators: true },
  createUser: { makes: ['user'], isOperators: true },
  createUsers: { name: 'create-user', makes: ['user'], isOperators: true },
  permitUser: { changes: { user: theAddressed }, isOperators: true },
  addApiKey: { changes: { user: theAddressed }, isOperators: true },
  resetPassword: { changes: { user: theAddressed }, isOperators: true },
  reactivateRealm: { ...itself, isOperators: true },
  scheduleRealmPurge: { ...itself, isOperators: true },
  renameRealm: { ...itself, isOperators: true },
  setLdapDirectory: { ...itself, isOperators: true },
  removeLdapDirectory: { ...itself, isOperators: true },
  testLdapDirectory: null,
  // Records itself, an entry for each account.
  syncLdapDirectory: null,
  announceNotice: { touches: { kind: 'organization', ids: theOrganization }, isOperators: true },
  // Records itself, as the log must not contain erased data.
  eraseUser: null,
  // Not about an organization.
  sendTestMail: null,
  exportRealm: { touches: { kind: 'organization', ids: theOrganization }, isOperators: true },
  // Recorded when it is finished, behind the imported entries.
  beginImport: null,
  finishImport: null,
  abandonImport: null,
  fillRealm: { touches: { kind: 'organization', ids: theOrganization }, isOperators: true },
  getWebhookSecret: {
    touches: { kind: 'user', ids: ({ tx, realmId, request }) => userAt(tx, realmId, request.botEmail) },
    isOperators: true,
  },
  // Recorded as the act that it reports; see actPerformed for the others.
  recordAct: null,
  refillLog: null,
  noteRelease: null,
  // Recorded when the organization was closed, or the export ordered.
  purgeRealm: null,
  claimDataExport: null,
  renewDataExport: null,
  finishDataExport: null,
  failDataExport: null,
  forgetDataExports: null,
  // These record themselves, as the token's act: recordChange().
  createScimResource: null,
  replaceScimResource: null,
  patchScimResource: null,
  removeScimResource: null,
  createScimToken: itself,
  rotateScimToken: itself,
  revokeScimToken: itself,
  setScimRole: itself,
  // Users' own data and actions.
  authenticate: null,
  confirmCredential: null,
  admitVisitor: null,
  noteMailBounced: null,
  followMailLink: null,
  isGroupMember: null,
  setAvatar: null,
  removeAvatar: null,
  setProfileValues: null,
  removeProfileValues: null,
  updateUserStatus: null,
  reportPresence: null,
  muteUser: null,
  unmuteUser: null,
  addAlertWords: null,
  removeAlertWords: null,
  addNavigationView: null,
  updateNavigationView: null,
  removeNavigationView: null,
  completeOnboardingStep: null,
  addPushToken: null,
  removePushToken: null,
  sendTestPush: null,
  registerPushDevice: null,
  sendEncryptedTestPush: null,
  registerClientDevice: null,
  removeClientDevice: null,
  putBotStorage: null,
  removeBotStorage: null,
};

/** The organization of an act; null: it does not exist. */
export function placeOf(call: Call | Caller, request: unknown): { realmId: number } | { subdomain: string } | null {
  if ('realmId' in call) return { realmId: call.realmId };
  const { realmId, subdomain } = request as { realmId?: unknown; subdomain?: unknown };
  if (typeof realmId === 'number') return { realmId };
  const [possible] = typeof subdomain === 'string' ? possibleTexts([subdomain]) : [];
  return possible === undefined ? null : { subdomain: possible };
}

async function userNamed(tx: Scene<unknown>['tx'], realmId: number, ref: UserRef | null): Promise<readonly number[]> {
  if (ref?.id !== undefined) return possibleIds([ref.id]);
  return ref?.email === undefined ? [] : userAt(tx, realmId, ref.email);
}

async function userAt(tx: Scene<unknown>['tx'], realmId: number, email: string): Promise<readonly number[]> {
  const users = await findUsersByAddresses(tx, realmId, possibleTexts([email.trim()]));
  return users.map(({ id }) => id);
}

function theAddressed({ tx, realmId, request }: Scene<{ email: string }>): Promise<readonly number[]> {
  return userAt(tx, realmId, request.email);
}

/** A login name of a directory is no address. */
function whoSignsIn({ answer }: Scene<{ username: string }>): readonly number[] {
  return possibleIds([(answer as FetchedApiKey).userId]);
}

async function accountOfKey({ tx, realmId, request }: Scene<{ key: string }>): Promise<readonly number[]> {
  const keyHash = hashConfirmationKey(request.key);
  const change = keyHash && (await findEmailChangeByKey(tx, realmId, keyHash));
  return change ? [change.userId] : [];
}
