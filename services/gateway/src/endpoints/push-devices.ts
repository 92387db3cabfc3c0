import { z } from 'zod';
import { endpoint } from '../http/endpoint';
import { boundedText, json, text } from '../http/parameters';

export const registerClientDevice = endpoint({
  method: 'POST',
  path: '/register_client_device',
  summary: "Give a program on the caller's phone an id, which it keeps until it is signed out",
  auth: 'user',
  parameters: {},
  result: z.strictObject({ device_id: z.int() }),
  errors: [],
  async handler({ services }, { call }) {
    const { deviceId } = await services.realm.registerClientDevice(call, {});
    return { device_id: deviceId };
  },
});

export const removeClientDevice = endpoint({
  method: 'POST',
  path: '/remove_client_device',
  summary: "Forget a program on the caller's phone, which was signed out",
  auth: 'user',
  parameters: { device_id: json(z.int().describe('As POST /register_client_device answered it.')) },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { device_id: deviceId }) {
    await services.realm.removeClientDevice(call, { deviceId });
    return {};
  },
});

export const addApnsToken = endpoint({
  method: 'POST',
  path: '/users/me/apns_device_token',
  summary: 'Register an Apple device for notifications',
  auth: 'user',
  parameters: {
    token: text(z.string().describe('Made by the device.')),
    appid: text(z.string().describe('Name of the app.')),
  },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { token, appid: appId }) {
    await services.realm.addPushToken(call, { kind: 'apns', token, appId });
    return {};
  },
});

export const removeApnsToken = endpoint({
  method: 'DELETE',
  path: '/users/me/apns_device_token',
  summary: 'End the registration of an Apple device for notifications',
  auth: 'user',
  parameters: { token: text(z.string().describe('Made by the device.')) },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { token }) {
    await services.realm.removePushToken(call, { kind: 'apns', token });
    return {};
  },
});

export const addFcmToken = endpoint({
  method: 'POST',
  path: '/users/me/android_gcm_reg_id',
  summary: 'Register an Android device for notifications',
  auth: 'user',
  parameters: { token: text(z.string().describe('Made by the device.')) },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { token }) {
    await services.realm.addPushToken(call, { kind: 'fcm', token });
    return {};
  },
});

export const removeFcmToken = endpoint({
  method: 'DELETE',
  path: '/users/me/android_gcm_reg_id',
  summary: 'End the registration of an Android device for notifications',
  auth: 'user',
  parameters: { token: text(z.string().describe('Made by the device.')) },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { token }) {
    await services.realm.removePushToken(call, { kind: 'fcm', token });
    return {};
  },
});

const MAX_CIPHERTEXT_LENGTH = 10_000;
const MAX_KEY_LENGTH = 100;

export const registerPushDevice = endpoint({
  method: 'POST',
  path: '/mobile_push/register',
  summary: 'Register a device for encrypted notifications, which takes a service that carries them',
  auth: 'user',
  parameters: {
    device_id: json(z.int().optional().describe('As POST /register_client_device answered it.')),
    token_kind: text(z.enum(['fcm', 'apns']).optional().describe('Who carries the notifications to the device.')),
    push_key_id: json(z.int().optional().describe("The device's own number for the key.")),
    push_key: text(boundedText(MAX_KEY_LENGTH).optional().describe('What notifications are to be encrypted with.')),
    token_id: text(boundedText(MAX_KEY_LENGTH).optional().describe("The device's own id for its token.")),
    // COMPAT(level 468): the parameters of devices without an id.
    push_account_id: json(z.int().optional().describe("Deprecated: the device's own number for the caller's account.")),
    push_public_key: text(boundedText(MAX_KEY_LENGTH).optional().describe('Deprecated: push_key.')),
    bouncer_public_key: text(boundedText(MAX_KEY_LENGTH).optional().describe('Of the service that carries them.')),
    encrypted_push_registration: text(
      boundedText(MAX_CIPHERTEXT_LENGTH).optional().describe('The token, which that service alone can read.'),
    ),
  },
  result: z.strictObject({}),
  errors: ['PUSH_SERVICE_NOT_CONFIGURED'],
  async handler({ services }, { call }) {
    await services.realm.registerPushDevice(call, {});
    return {};
  },
});

export const sendTestPush = endpoint({
  method: 'POST',
  path: '/mobile_push/test_notification',
  summary: "Send a test notification to one of the caller's devices, or to all",
  auth: 'user',
  parameters: { token: text(z.string().optional().describe('Of one device; absent: all.')) },
  result: z.strictObject({}),
  errors: ['INVALID_PUSH_DEVICE_TOKEN', 'PUSH_SERVICE_NOT_CONFIGURED'],
  async handler({ services }, { call }, { token }) {
    await services.realm.sendTestPush(call, token === undefined ? {} : { token });
    return {};
  },
});

export const sendEncryptedTestPush = endpoint({
  method: 'POST',
  path: '/mobile_push/e2ee/test_notification',
  summary: "Send an encrypted test notification to one of the caller's devices, or to all",
  auth: 'user',
  parameters: { push_account_id: json(z.int().optional().describe('Of one device; absent: all.')) },
  result: z.strictObject({}),
  errors: ['NO_ACTIVE_PUSH_DEVICE'],
  async handler({ services }, { call }) {
    await services.realm.sendEncryptedTestPush(call, {});
    return {};
  },
});
