import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId } from '../../http/parameters';

export const revokeInvitationLink = endpoint({
  method: 'DELETE',
  path: '/invites/multiuse/{invite_id}',
  summary: 'Take a reusable invitation link back',
  auth: 'user',
  parameters: { invite_id: pathId() },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { invite_id: linkId }) {
    await services.invites.revokeInvitationLink(call, { linkId });
    return {};
  },
});
