import { z } from 'zod';
import { endpoint } from '../../http/endpoint';

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
