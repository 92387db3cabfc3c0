import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json } from '../../http/parameters';
import { sentStatus, statusParameters } from './status-parameters';

export const updateOwnStatus = endpoint({
  method: 'POST',
  path: '/users/me/status',
  summary: "Set the caller's own status",
  auth: 'user',
  parameters: { ...statusParameters, away: json(z.boolean().optional().describe('Deprecated.')) },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { away, ...values }) {
    await services.realm.updateUserStatus(call, { ...sentStatus(values), ...(away !== undefined && { isAway: away }) });
    return {};
  },
});
