import { byCaller, type Implementation } from '@parley/shared/rpc';
import { getOwnUser } from '../accounts/get-own-user';
import { addOwnApiKey, getApiKeys, regenerateApiKey, revokeApiKey } from '../api-keys/api-keys';
import { authenticate } from '../api-keys/authenticate';
import { getAvatarImage, removeAvatar, setAvatar } from '../avatars/avatars';
import type { Context } from '../context';
import { confirmEmailChange, findEmailChange } from '../email-changes/email-changes';
import { directoryPasswords } from '../ldap/passwords';
import { noteMailBounced } from '../mail-recipients/bounces';
import { findMailLink, followMailLink } from '../mail-recipients/follow-mail-link';
import { listMailRecipients } from '../mail-recipients/list-mail-recipients';
import { findPasswordReset, requestPasswordReset, setForgottenPassword } from '../sign-in/forgotten-password';
import { devFetchApiKey, fetchApiKey } from '../sign-in/sign-in';
import { deactivateOwnUser } from '../users/deactivate-user';
import { getOwnAccount } from '../users/get-own-account';
import { updateUserSettings } from '../users/update-user-settings';

/** Sign-in, API keys, and the caller's own account. */
export function accountMethods(ctx: Context) {
  return {
    authenticate: (_call, request) => authenticate(ctx, request),
    // The credential that travels with the call: confirmed as with any call, see confirmationOf().
    confirmCredential: async () => ({}),
    fetchApiKey: (call, request) =>
      fetchApiKey(ctx, request, call.clientAddress, directoryPasswords(ctx, call.requestId)),
    devFetchApiKey: (call, request) => devFetchApiKey(ctx, request, call.clientAddress),
    getApiKeys: byCaller((caller) => getApiKeys(ctx, caller)),
    addOwnApiKey: byCaller((caller, request) => addOwnApiKey(ctx, caller, request)),
    regenerateApiKey: byCaller((caller) => regenerateApiKey(ctx, caller)),
    revokeApiKey: byCaller((caller, request) => revokeApiKey(ctx, caller, request)),
    getOwnUser: byCaller((caller) => getOwnUser(ctx, caller)),
    getOwnAccount: byCaller((caller) => getOwnAccount(ctx, caller)),
    updateUserSettings: byCaller((caller, request) => updateUserSettings(ctx, caller, request)),
    setAvatar: byCaller((caller, request) => setAvatar(ctx, caller, request)),
    removeAvatar: byCaller((caller) => removeAvatar(ctx, caller)),
    getAvatarImage: (_call, request) => getAvatarImage(ctx, request),
    requestPasswordReset: (_call, request) => requestPasswordReset(ctx, request),
    findPasswordReset: (_call, request) => findPasswordReset(ctx, request),
    setForgottenPassword: (_call, request) => setForgottenPassword(ctx, request),
    findEmailChange: (_call, request) => findEmailChange(ctx, request),
    confirmEmailChange: (_call, request) => confirmEmailChange(ctx, request),
    listMailRecipients: (_call, request) => listMailRecipients(ctx, request),
    noteMailBounced: (_call, request) => noteMailBounced(ctx, request),
    findMailLink: (_call, request) => findMailLink(ctx, request),
    followMailLink: (_call, request) => followMailLink(ctx, request),
    deactivateOwnUser: byCaller((caller) => deactivateOwnUser(ctx, caller)),
  } satisfies Partial<Implementation<'realm'>>;
}
