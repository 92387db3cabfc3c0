import { newCall } from '@parley/shared/rpc';
import type { CommandOf } from './command';

const TIMEOUT_MS = 1_800_000;

/** Fills an organization that has people and channels with messages, to see it large. */
export const messagesFill: CommandOf<'messages'> = {
  service: 'messages',
  about: 'fills an organization, best after realm fill, with made-up messages; the same seed makes the same',
  required: { realm: 'SUBDOMAIN', messages: 'N' },
  optional: { topics: 'T', direct: 'D', seed: '1' },
  async run(messages, options) {
    const topics = options.optionalInteger('topics');
    const directConversations = options.optionalInteger('direct');
    const filled = await messages.fillMessages(newCall(undefined, TIMEOUT_MS), {
      subdomain: options.text('realm'),
      messages: options.integer('messages'),
      ...(topics === undefined ? {} : { topics }),
      ...(directConversations === undefined ? {} : { directConversations }),
      seed: options.optionalInteger('seed') ?? 1,
    });
    return {
      realm_id: filled.realmId,
      messages: filled.messages,
      topics: filled.topics,
      direct_conversations: filled.directConversations,
      mentions: filled.mentions,
    };
  },
};
