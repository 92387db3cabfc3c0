import { byCaller, type Implementation } from '@parley/shared/rpc';
import { addAlertWords, getAlertWords, removeAlertWords } from '../alert-words/alert-words';
import { getBotStorage, putBotStorage, removeBotStorage } from '../bot-storage/bot-storage';
import { registerClientDevice, removeClientDevice } from '../client-devices/client-devices';
import type { Context } from '../context';
import { confirmEmailChange, findEmailChange } from '../email-changes/email-changes';
import { muteUser, unmuteUser } from '../muted-users/muted-users';
import {
  addNavigationView,
  getNavigationViews,
  removeNavigationView,
  updateNavigationView,
} from '../navigation-views/navigation-views';
import { completeOnboardingStep } from '../onboarding-steps/onboarding-steps';
import {
  addPushToken,
  registerPushDevice,
  removePushToken,
  sendEncryptedTestPush,
  sendTestPush,
} from '../push-tokens/push-tokens';
import { getUserStatus, updateUserStatus } from '../statuses/statuses';

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
