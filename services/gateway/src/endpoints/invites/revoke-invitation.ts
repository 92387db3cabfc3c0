import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId } from '../../http/parameters';

export const revokeInvitation = endpoint({
  method: 'DELETE',
  path: '/invites/{invite_id}',
  summary: 'Take an e-mail invitation back',
  auth: 'user',
  parameters: { invite_id: pathId() },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { invite_id: invitationId }) {
    await services.invites.revokeInvitation(call, { invitationId });
    return {};
  },
});
