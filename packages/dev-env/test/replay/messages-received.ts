import { getMessages } from '@parley/gateway/endpoints';
import type { MoreState } from './harness';

/** Every message that the client's user has received, as its events show them. */
export const messagesReceived: MoreState = async (client, { capabilities }) => {
  const asShown = { apply_markdown: false, client_gravatar: capabilities.size > 0 };
  const { messages } = await client.call(getMessages, {
    ...{ anchor: 'newest', num_before: 1_000, narrow: [], ...asShown },
    allow_empty_topic_name: capabilities.has('empty_topic_name'),
  });
  return { messages: messages.filter(({ flags }) => !flags.includes('historical')) };
};
