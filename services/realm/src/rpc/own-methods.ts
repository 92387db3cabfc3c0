import { byCaller, type Implementation } from '@parley/shared/rpc';
import { getBotStorage, putBotStorage, removeBotStorage } from '../bots/bot-storage';
import type { Context } from '../context';
import { confirmEmailChange, findEmailChange } from '../email-changes/email-changes';
import { addAlertWords, getAlertWords, removeAlertWords } from '../personal/alert-words';
import { registerClientDevice, removeClientDevice } from '../personal/client-devices';
import { muteUser, unmuteUser } from '../personal/muted-users';
import {
  addNavigationView,
  getNavigationViews,
  removeNavigationView,
  updateNavigationView,
} from '../personal/navigation-views';
import { completeOnboardingStep } from '../personal/onboarding-steps';
import {
  addPushToken,
  registerPushDevice,
  removePushToken,
  sendEncryptedTestPush,
  sendTestPush,
} from '../personal/push-tokens';
import { getUserStatus, updateUserStatus } from '../personal/statuses';

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

/** Users' own data besides settings, and changes of addresses. */
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
