import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { text } from '../../http/parameters';

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
