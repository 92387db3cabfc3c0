export { addApnsToken } from './add-apns-token';
export { addFcmToken } from './add-fcm-token';
export { registerPushDevice } from './register-push-device';
export { removeApnsToken } from './remove-apns-token';
export { removeFcmToken } from './remove-fcm-token';
export { sendEncryptedTestPush } from './send-encrypted-test-push';
export { sendTestPush } from './send-test-push';
