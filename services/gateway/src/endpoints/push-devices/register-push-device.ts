import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { boundedText, json, text } from '../../http/parameters';

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
    // COMPAT(level 468): what devices without an id send.
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
