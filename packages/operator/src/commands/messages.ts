import { NothingToDoError } from '@parley/shared/errors';
import { newCall } from '@parley/shared/rpc';
import { command } from '../command/command';
import { operatedRealm } from '../command/operated';
import { identifier, integer, realm, withoutUndefined } from '../command/options';

export const messageDelete = command({
  services: ['realm', 'messages'],
  summary: 'deletes a message, wherever it is',
  options: { realm, id: identifier('N') },
  examples: ['--realm acme --id 123'],
  async run({ realm: service, messages }, { id: messageId, ...named }) {
    const { actor } = await operatedRealm(service, named);
    await messages.deleteMessage(actor, { messageId }).catch((error) => {
      throw error instanceof NothingToDoError ? new Error(`there is no message ${messageId}`) : error;
    });
    return { message_id: messageId };
  },
});

const TIMEOUT_MS = 1_800_000;

/** Fills an organization with messages; it must have people and channels. */
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
