import { BadRequestError } from '@parley/shared/errors';
import type { FillMessagesRequest } from '@parley/shared/proto';

/** How much an organization is filled with. */
export interface FillSize {
  messages: number;
  topics: number;
  directConversations: number;
}

const LIMITS = { messages: 5_000_000, topics: 200_000, directConversations: 100_000 };
const MESSAGES_PER_TOPIC = 100;
const MESSAGES_PER_DIRECT_CONVERSATION = 200;

/** The sizes asked for, and those that were left open. */
export function sizeFromInput({ messages, topics, directConversations }: FillMessagesRequest): FillSize {
  const size = {
    messages,
    topics: topics ?? Math.ceil(messages / MESSAGES_PER_TOPIC),
    directConversations: directConversations ?? Math.ceil(messages / MESSAGES_PER_DIRECT_CONVERSATION),
  };
  for (const [name, limit] of Object.entries(LIMITS)) {
    if (size[name as keyof FillSize] > limit) throw new BadRequestError(`Too many ${name} (limit: ${limit})`);
  }
  if (messages < 1) throw new BadRequestError('An organization is filled with at least one message.');
  if (size.topics < 0 || size.directConversations < 0) throw new BadRequestError('There cannot be less than none.');
  return size;
}
