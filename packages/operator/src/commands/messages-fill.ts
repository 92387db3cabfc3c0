import { newCall } from '@parley/shared/rpc';
import { command } from '../command/command';
import { integer, realm } from '../command/options';
import { withoutUndefined } from '../command/without-undefined';

const TIMEOUT_MS = 1_800_000;

/** Fills an organization that has people and channels with messages, to see it large. */
export const messagesFill = command({
  services: ['messages'],
  summary: 'fills an organization, best after realm fill, with made-up messages; the same seed makes the same',
  options: {
    realm,
    messages: integer('N'),
    topics: integer('T').optional(),
    direct: integer('D').optional(),
    seed: integer('1').optional(),
  },
  examples: ['--realm acme --messages 1000000'],
  async run({ messages: service }, { realm: subdomain, messages, topics, direct, seed = 1 }) {
    const filled = await service.fillMessages(newCall(undefined, TIMEOUT_MS), {
      subdomain,
      messages,
      ...withoutUndefined({ topics, directConversations: direct }),
      seed,
    });
    return {
      realm_id: filled.realmId,
      messages: filled.messages,
      topics: filled.topics,
      direct_conversations: filled.directConversations,
      mentions: filled.mentions,
    };
  },
});
