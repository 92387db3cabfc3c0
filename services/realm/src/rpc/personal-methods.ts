import { byCaller, type Implementation } from '@parley/shared/rpc';
import type { Context } from '../context';
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

/** Users' personal lists and registered devices. */
export function personalMethods(ctx: Context) {
  return {
    muteUser: byCaller((caller, request) => muteUser(ctx, caller, request)),
    unmuteUser: byCaller((caller, request) => unmuteUser(ctx, caller, request)),
    getAlertWords: byCaller((caller) => getAlertWords(ctx, caller)),
    addAlertWords: byCaller((caller, request) => addAlertWords(ctx, caller, request)),
    removeAlertWords: byCaller((caller, request) => removeAlertWords(ctx, caller, request)),
    getNavigationViews: byCaller((caller) => getNavigationViews(ctx, caller)),
    addNavigationView: byCaller((caller, request) => addNavigationView(ctx, caller, request)),
    updateNavigationView: byCaller((caller, request) => updateNavigationView(ctx, caller, request)),
    removeNavigationView: byCaller((caller, request) => removeNavigationView(ctx, caller, request)),
    completeOnboardingStep: byCaller((caller, request) => completeOnboardingStep(ctx, caller, request)),
    addPushToken: byCaller((caller, request) => addPushToken(ctx, caller, request)),
    removePushToken: byCaller((caller, request) => removePushToken(ctx, caller, request)),
    sendTestPush: byCaller((caller, request) => sendTestPush(ctx, caller, request)),
    registerPushDevice: byCaller((caller) => registerPushDevice(ctx, caller)),
    sendEncryptedTestPush: byCaller((caller) => sendEncryptedTestPush(ctx, caller)),
    registerClientDevice: byCaller((caller) => registerClientDevice(ctx, caller)),
    removeClientDevice: byCaller((caller, request) => removeClientDevice(ctx, caller, request)),
  } satisfies Partial<Implementation<'realm'>>;
}
