import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { requestKeyOf } from '../../http/idempotency-key';
import { json } from '../../http/parameters';
import { idList, sentTerms, termsParameters } from './invitation-parameters';

export const createInvitationLink = endpoint({
  method: 'POST',
  path: '/invites/multiuse',
  summary: 'Make a link by which any number of people can join',
  auth: 'user',
  parameters: { stream_ids: json(idList.default([])), ...termsParameters },
  result: z.strictObject({ invite_link: z.string() }),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'IDEMPOTENCY_KEY_REUSED'],
  async handler({ services }, request, values) {
    const { url } = await services.invites.createInvitationLink(request.call, {
      terms: sentTerms(values),
      idempotencyKey: requestKeyOf(request),
    });
    return { invite_link: url };
  },
});
