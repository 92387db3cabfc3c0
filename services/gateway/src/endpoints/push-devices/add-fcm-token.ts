import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { text } from '../../http/parameters';

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
