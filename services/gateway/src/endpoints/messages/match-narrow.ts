import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json } from '../../http/parameters';
import { decodeNarrow, narrowSchema } from './decode-narrow';

const match = z.strictObject({
  match_content: z.string().describe('HTML, with what was searched for highlighted.'),
  match_subject: z.string().describe('The topic as HTML, likewise.'),
});

export const matchNarrow = endpoint({
  method: 'GET',
  path: '/messages/matches_narrow',
  summary: 'Tell which messages a narrow leaves',
  auth: 'user',
  parameters: {
    msg_ids: json(z.array(z.int())),
    narrow: json(narrowSchema.unwrap(), { read: decodeNarrow }),
  },
  result: z.strictObject({ messages: z.record(z.string(), match).describe('By message id.') }),
  errors: ['BAD_NARROW'],
  async handler({ services }, { call }, { msg_ids: messageIds, narrow }) {
    const { matches } = await services.messages.matchNarrow(call, { messageIds, narrow });
    const entries = matches.map(({ messageId, matchContent, matchTopic }) => [
      messageId,
      { match_content: matchContent, match_subject: matchTopic },
    ]);
    return { messages: Object.fromEntries(entries) };
  },
});
