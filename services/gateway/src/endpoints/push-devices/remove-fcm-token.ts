import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { text } from '../../http/parameters';

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
