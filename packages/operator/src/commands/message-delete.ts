import { command } from '../command/command';
import { operatedRealm } from '../command/operated';
import { integer, realm } from '../command/options';

export const messageDelete = command({
  services: ['realm', 'messages'],
  summary: 'deletes a message, wherever it is',
  options: { realm, id: integer('N') },
  examples: ['--realm acme --id 123'],
  async run({ realm: service, messages }, { id: messageId, ...named }) {
    const { actor } = await operatedRealm(service, named);
    await messages.deleteMessage(actor, { messageId });
    return { message_id: messageId };
  },
});
