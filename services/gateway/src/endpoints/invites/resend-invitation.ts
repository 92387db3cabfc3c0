import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId } from '../../http/parameters';

export const resendInvitation = endpoint({
  method: 'POST',
  path: '/invites/{invite_id}/resend',
  summary: 'Send an e-mail invitation once more; it is valid for as long again',
  auth: 'user',
  parameters: { invite_id: pathId() },
  result: z.strictObject({}),
  errors: ['INVITATION_FAILED', 'UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { invite_id: invitationId }) {
    await services.invites.resendInvitation(call, { invitationId });
    return {};
  },
});
