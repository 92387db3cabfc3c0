import { newCall, type RpcClient } from '@parley/shared/rpc';
import { command, type Terminal } from '../command/command';
import { integer, oneOf, realm, text } from '../command/options';
import { withoutUndefined } from '../command/without-undefined';

export const userErase = command({
  services: ['realm', 'messages', 'scheduler'],
  summary:
    'takes a person’s account out of use for good, and all that tells of them; their messages stay, without a name, or are deleted',
  options: {
    realm,
    email: text('EMAIL').optional(),
    id: integer('N').optional(),
    messages: oneOf(['keep', 'delete']),
  },
  examples: ['--realm acme --email bo@acme.org --messages keep', '--realm acme --id 17 --messages delete'],
  async run({ realm: service, messages, scheduler }, { realm: subdomain, email, id, messages: choice }, { terminal }) {
    if ((email === undefined) === (id === undefined)) throw new Error('give --email or --id');
    const deletesMessages = choice === 'delete';
    const named = { subdomain, deletesMessages, ...withoutUndefined({ email, userId: id }) };
    const { realmId, userId } = await service.eraseUser(newCall(), named);
    try {
      const person = { realmId, userId, deletesMessages };
      const scheduled = (await scheduler.erasePerson(newCall(), person)).deleted;
      const deleted = await eraseIn(messages, person, terminal);
      return { user_id: userId, messages: choice, deleted: deleted + scheduled };
    } catch (error) {
      const again = `user erase --realm '${subdomain}' --id ${userId} --messages ${choice}`;
      throw new Error(`${(error as Error).message}; the account is erased, run "${again}" for the rest`);
    }
  },
});

/** A batch a call: what breaks off is gone on with by another run. */
async function eraseIn(
  messages: RpcClient<'messages'>,
  person: { realmId: number; userId: number; deletesMessages: boolean },
  { say }: Terminal,
): Promise<number> {
  for (let total = 0; ; ) {
    const { deleted, isComplete } = await messages.erasePerson(newCall(), person);
    total += deleted;
    say(`${total} deleted`);
    if (isComplete) return total;
  }
}
