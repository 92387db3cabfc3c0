import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json, pathId } from '../../http/parameters';

export const getChannelEmailAddress = endpoint({
  method: 'GET',
  path: '/streams/{stream_id}/email_address',
  summary: 'Get the address to which mail for a channel may be sent',
  auth: 'user',
  parameters: {
    stream_id: pathId(),
    sender_id: json(z.int().optional().describe('In whose name mail is posted: the caller, or a bot of theirs.')),
  },
  result: z.strictObject({ email: z.string().describe('Empty: this server takes no mail.') }),
  errors: [],
  async handler({ services }, { call }, { stream_id: channelId, sender_id: senderId }) {
    return services.realm.getChannelEmailAddress(call, { channelId, ...(senderId !== undefined && { senderId }) });
  },
});
