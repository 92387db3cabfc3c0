import { type ApiRequest, get, post } from '../operations/api';
import type { Operation } from '../operations/measure-operations';
import type { Limits } from './limits';
import { type Subjects, UNREAD_TOPICS } from './subjects';

interface NarrowTerm {
  operator: string;
  operand: string | number;
}

/** Reads in an organization with many messages. */
export function readingOn({ reader, topic, words }: Subjects, limits: Limits): Operation[] {
  const asReader = (request: ApiRequest): ApiRequest => ({ ...request, authorization: reader.authorization });
  const page = (name: string, narrow: NarrowTerm[], condition: string): Operation => ({
    name: `GET /messages: 100 ${name}`,
    request: () => asReader(get(pageOf(narrow, { anchor: 'newest', num_before: '100' }))),
    limit: () => limits.page(condition),
  });
  const channel = { operator: 'channel', operand: topic.channelId };
  return [
    page('of a topic', [channel, { operator: 'topic', operand: topic.name }], limits.inTopic),
    page('of a channel', [channel], limits.inChannel),
    page('of the combined feed', [], limits.inChannels),
    page(
      `with a rare word (${words.rare})`,
      [{ operator: 'search', operand: words.rare }],
      limits.withWord(words.rare),
    ),
    page(
      `with a common word (${words.common})`,
      [{ operator: 'search', operand: words.common }],
      limits.withWord(words.common),
    ),
    {
      name: 'GET /messages: 100 from the first unread on',
      request: () => asReader(get(pageOf([], { anchor: 'first_unread', num_after: '100' }))),
      limit: () => limits.page(limits.unread, 'asc'),
    },
    {
      name: `POST /register: what is unread in ${UNREAD_TOPICS} topics`,
      request: () => asReader(post('/register', { fetch_event_types: '["message","update_message_flags"]' })),
      limit: () => limits.unreadByTopic,
    },
    {
      name: 'GET /users/me/{id}/topics',
      request: () => asReader(get(`/users/me/${topic.channelId}/topics`)),
      limit: () => limits.topics,
    },
  ];
}

function pageOf(narrow: readonly NarrowTerm[], range: Record<string, string>): string {
  return `/messages?${new URLSearchParams({ narrow: JSON.stringify(narrow), num_before: '0', num_after: '0', ...range })}`;
}
