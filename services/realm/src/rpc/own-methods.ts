import { byCaller, type Implementation } from '@parley/shared/rpc';
import { addAlertWords } from '../alert-words/add-alert-words';
import { getAlertWords } from '../alert-words/get-alert-words';
import { removeAlertWords } from '../alert-words/remove-alert-words';
import { getBotStorage, putBotStorage, removeBotStorage } from '../bot-storage/bot-storage';
import { registerClientDevice, removeClientDevice } from '../client-devices/client-devices';
import type { Context } from '../context';
import { confirmEmailChange } from '../email-changes/confirm-email-change';
import { findEmailChange } from '../email-changes/find-email-change';
import { muteUser } from '../muted-users/mute-user';
import { unmuteUser } from '../muted-users/unmute-user';
import { addNavigationView } from '../navigation-views/add-navigation-view';
import { getNavigationViews } from '../navigation-views/get-navigation-views';
import { removeNavigationView } from '../navigation-views/remove-navigation-view';
import { updateNavigationView } from '../navigation-views/update-navigation-view';
import { completeOnboardingStep } from '../onboarding-steps/complete-onboarding-step';
import { addPushToken } from '../push-tokens/add-push-token';
import { registerPushDevice } from '../push-tokens/register-push-device';
import { removePushToken } from '../push-tokens/remove-push-token';
import { sendEncryptedTestPush } from '../push-tokens/send-encrypted-test-push';
import { sendTestPush } from '../push-tokens/send-test-push';
import { getUserStatus } from '../statuses/get-user-status';
import { updateUserStatus } from '../statuses/update-user-status';

type Methods =
  | 'findEmailChange'
  | 'confirmEmailChange'
  | 'getUserStatus'
  | 'updateUserStatus'
  | 'muteUser'
  | 'unmuteUser'
  | 'getAlertWords'
  | 'addAlertWords'
  | 'removeAlertWords'
  | 'getNavigationViews'
  | 'addNavigationView'
  | 'completeOnboardingStep'
  | 'updateNavigationView'
  | 'removeNavigationView'
  | 'addPushToken'
  | 'removePushToken'
  | 'sendTestPush'
  | 'registerPushDevice'
  | 'sendEncryptedTestPush'
  | 'registerClientDevice'
  | 'removeClientDevice'
  | 'putBotStorage'
  | 'getBotStorage'
  | 'removeBotStorage';

/** What accounts have of their own beside their settings, and their addresses. */
export function ownMethods(ctx: Context): Pick<Implementation<'realm'>, Methods> {
  return {
    findEmailChange: (_call, request) => findEmailChange(ctx, request),
    confirmEmailChange: (_call, request) => confirmEmailChange(ctx, request),
    getUserStatus: byCaller((caller, request) => getUserStatus(ctx, caller, request)),
    updateUserStatus: byCaller((caller, request) => updateUserStatus(ctx, caller, request)),
    muteUser: byCaller((caller, request) => muteUser(ctx, caller, request)),
    unmuteUser: byCaller((caller, request) => unmuteUser(ctx, caller, request)),
    getAlertWords: byCaller((caller) => getAlertWords(ctx, caller)),
    addAlertWords: byCaller((caller, request) => addAlertWords(ctx, caller, request)),
    removeAlertWords: byCaller((caller, request) => removeAlertWords(ctx, caller, request)),
    getNavigationViews: byCaller((caller) => getNavigationViews(ctx, caller)),
    completeOnboardingStep: byCaller((caller, request) => completeOnboardingStep(ctx, caller, request)),
    addNavigationView: byCaller((caller, request) => addNavigationView(ctx, caller, request)),
    updateNavigationView: byCaller((caller, request) => updateNavigationView(ctx, caller, request)),
    removeNavigationView: byCaller((caller, request) => removeNavigationView(ctx, caller, request)),
    addPushToken: byCaller((caller, request) => addPushToken(ctx, caller, request)),
    removePushToken: byCaller((caller, request) => removePushToken(ctx, caller, request)),
    sendTestPush: byCaller((caller, request) => sendTestPush(ctx, caller, request)),
    registerPushDevice: byCaller((caller) => registerPushDevice(ctx, caller)),
    sendEncryptedTestPush: byCaller((caller) => sendEncryptedTestPush(ctx, caller)),
    registerClientDevice: byCaller((caller) => registerClientDevice(ctx, caller)),
    removeClientDevice: byCaller((caller, request) => removeClientDevice(ctx, caller, request)),
    putBotStorage: byCaller((caller, request) => putBotStorage(ctx, caller, request)),
    getBotStorage: byCaller((caller, request) => getBotStorage(ctx, caller, request)),
    removeBotStorage: byCaller((caller, request) => removeBotStorage(ctx, caller, request)),
  };
}
