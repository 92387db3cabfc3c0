import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { text } from '../../http/parameters';

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
