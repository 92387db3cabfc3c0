import { BadRequestError } from '@parley/shared/errors';
import { toSeconds } from '@parley/shared/values';
import { z } from 'zod';
import { endpoint, type UserRequest } from '../http/endpoint';
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
  async handler({ services }, request, { token, appid: appId }) {
    requirePerson(request);
    await services.scheduler.addPushDevice(request.call, { kind: 'apns', token, appId, apiKeyId: request.apiKeyId });
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
  async handler({ services }, request, { token }) {
    requirePerson(request);
    await services.scheduler.removePushDevice(request.call, { kind: 'apns', token });
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
  async handler({ services }, request, { token }) {
    requirePerson(request);
    await services.scheduler.addPushDevice(request.call, { kind: 'fcm', token, apiKeyId: request.apiKeyId });
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
  async handler({ services }, request, { token }) {
    requirePerson(request);
    await services.scheduler.removePushDevice(request.call, { kind: 'fcm', token });
    return {};
  },
});

const endpointAddress = () => text(z.string().describe('As `PushSubscription.endpoint` of the browser has it.'));

export const addWebPushSubscription = endpoint({
  method: 'POST',
  path: '/users/me/web_push_subscriptions',
  summary: 'Register a browser for notifications, until the session ends or the browser is removed',
  auth: 'user',
  parameters: {
    endpoint: endpointAddress(),
    p256dh: text(z.string().describe("The browser's public key, in base64url.")),
    auth: text(z.string().describe("The browser's secret, in base64url.")),
  },
  result: z.strictObject({}),
  errors: ['PUSH_SERVICE_NOT_CONFIGURED'],
  async handler({ services }, request, { endpoint: token, p256dh, auth }) {
    requirePerson(request);
    const { call, apiKeyId } = request;
    await services.scheduler.addPushDevice(call, { kind: 'web', token, p256dh, auth, apiKeyId });
    return {};
  },
});

export const removeWebPushSubscription = endpoint({
  method: 'DELETE',
  path: '/users/me/web_push_subscriptions',
  summary: 'End the registration of a browser for notifications',
  auth: 'user',
  parameters: { endpoint: endpointAddress() },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, request, { endpoint: token }) {
    requirePerson(request);
    await services.scheduler.removePushDevice(request.call, { kind: 'web', token });
    return {};
  },
});

export const getWebPushSubscriptions = endpoint({
  method: 'GET',
  path: '/users/me/web_push_subscriptions',
  summary: "Get the caller's browsers that are registered for notifications, and the key with which browsers subscribe",
  auth: 'user',
  parameters: {},
  result: z.strictObject({
    application_server_key: z
      .string()
      .nullable()
      .describe('For `PushManager.subscribe()`; null: the server does not notify browsers.'),
    subscriptions: z.array(z.strictObject({ endpoint: z.string(), registered_at: z.int() })),
  }),
  errors: [],
  async handler({ services }, request) {
    requirePerson(request);
    const { applicationServerKey, subscriptions } = await services.scheduler.listWebPushSubscriptions(request.call, {});
    return {
      application_server_key: applicationServerKey ?? null,
      subscriptions: subscriptions.map(({ endpoint: address, registeredAtMs }) => ({
        endpoint: address,
        registered_at: toSeconds(registeredAtMs),
      })),
    };
  },
});

/** Bots have no devices. */
function requirePerson({ isBot }: UserRequest): void {
  if (isBot) throw new BadRequestError('This endpoint does not accept bot requests.');
}

const MAX_CIPHERTEXT_LENGTH = 10_000;
const MAX_KEY_LENGTH = 100;

export const registerPushDevice = endpoint({
  method: 'POST',
  path: '/mobile_push/register',
  summary: 'Register a phone for notifications that are encrypted for it: not offered by this server',
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
  parameters: {
    token: text(z.string().optional().describe('Of one device, or the endpoint of a browser; absent: all phones.')),
  },
  result: z.strictObject({}),
  errors: ['INVALID_PUSH_DEVICE_TOKEN', 'PUSH_SERVICE_NOT_CONFIGURED'],
  async handler({ services }, request, { token }) {
    requirePerson(request);
    await services.scheduler.testPush(request.call, token === undefined ? {} : { token });
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
