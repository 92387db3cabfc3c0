import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json } from '../../http/parameters';

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
