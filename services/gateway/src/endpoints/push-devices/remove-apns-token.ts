import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { text } from '../../http/parameters';

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
