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
    token_kind: text(z.enum(['fcm', 'apns'])),
    push_account_id: json(z.int().describe("The device's own number for the caller's account.")),
    push_public_key: text(boundedText(MAX_KEY_LENGTH)),
    bouncer_public_key: text(boundedText(MAX_KEY_LENGTH)),
    encrypted_push_registration: text(boundedText(MAX_CIPHERTEXT_LENGTH)),
  },
  result: z.strictObject({}),
  errors: ['PUSH_SERVICE_NOT_CONFIGURED'],
  async handler({ services }, { call }) {
    await services.realm.registerPushDevice(call, {});
    return {};
  },
});
