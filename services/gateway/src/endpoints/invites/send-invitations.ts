import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { requestKeyOf } from '../../http/idempotency-key';
import { json, text } from '../../http/parameters';
import { idList, sentTerms, termsParameters } from './invitation-parameters';

export const sendInvitations = endpoint({
  method: 'POST',
  path: '/invites',
  summary: 'Invite people by mail',
  auth: 'user',
  parameters: {
    invitee_emails: text(z.string().describe('Separated by commas or newlines; at most 1,000.')),
    stream_ids: json(idList),
    notify_referrer_on_join: json(z.boolean().default(true)),
    ...termsParameters,
  },
  result: z.strictObject({}),
  errors: ['INVITATION_FAILED', 'UNAUTHORIZED_PRINCIPAL', 'IDEMPOTENCY_KEY_REUSED'],
  async handler({ services }, request, values) {
    await services.invites.sendInvitations(request.call, {
      emails: values.invitee_emails,
      terms: sentTerms(values),
      notifiesReferrer: values.notify_referrer_on_join,
      idempotencyKey: requestKeyOf(request),
    });
    return {};
  },
});
