import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json } from '../../http/parameters';

export const deactivateRealm = endpoint({
  method: 'POST',
  path: '/realm/deactivate',
  summary: 'Close the organization; for owners',
  auth: 'user',
  parameters: {
    deletion_delay_days: json(z.int32().optional().describe('After which its data may be deleted; absent: never.')),
  },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { deletion_delay_days: deletionDelayDays }) {
    await services.realm.deactivateRealm(call, deletionDelayDays === undefined ? {} : { deletionDelayDays });
    return {};
  },
});
