import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json } from '../../http/parameters';

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
