import type { User } from '@parley/shared/proto';
import { newCall, type RpcClient } from '@parley/shared/rpc';
import { command, type Terminal } from '../command/command';
import { type OperatedRealm, operatedRealm, operatedUser } from '../command/operated';
import { identifier, oneOf, realm, text } from '../command/options';

/**
 * Closes the account first, so that nothing is added meanwhile, and removes its name and address last: until then the same command, run
 * again, finds the account and continues. Each step may be repeated.
 */
export const userErase = command({
  services: ['realm', 'messages', 'scheduler'],
  summary:
    'closes a person’s account for good and deletes what is about them; their messages stay, without a name, or are deleted',
  options: {
    realm,
    email: text('EMAIL').optional(),
    id: identifier('N').optional(),
    messages: oneOf(['keep', 'delete']),
  },
  examples: ['--realm acme --email bo@acme.org --messages keep', '--realm acme --id 17 --messages delete'],
  async run({ realm: service, messages, scheduler }, { messages: choice, ...named }, { terminal }) {
    const { user, actor } = await findPerson(service, named);
    const { realmId, id: userId } = user;
    const person = { realmId, userId, deletesMessages: choice === 'delete' };
    if (user.isActive) await service.deactivateUser(actor, { userId });
    const scheduled = (await scheduler.erasePerson(newCall(), person)).deleted;
    const deleted = await eraseIn(messages, person, terminal);
    const request = { subdomain: named.realm, userId, deletesMessages: person.deletesMessages };
    await service.eraseUser(newCall(), request);
    return { user_id: userId, messages: choice, deleted: deleted + scheduled };
  },
});

interface Named {
  realm: string;
  email?: string | undefined;
  id?: number | undefined;
}

async function findPerson(
  service: RpcClient<'realm'>,
  { realm: subdomain, email, id }: Named,
): Promise<OperatedRealm & { user: User }> {
  if ((email === undefined) === (id === undefined)) throw new Error('give --email or --id');
  const found =
    email === undefined
      ? await findById(service, subdomain, id as number)
      : await operatedUser(service, { realm: subdomain, email });
  if (found.user.isBot) throw new Error('This is the account of a bot');
  return found;
}

async function findById(service: RpcClient<'realm'>, subdomain: string, id: number) {
  const operated = await operatedRealm(service, { realm: subdomain });
  const request = { userIds: [id], hasUserIds: true, includesProfiles: false };
  const [user] = (await service.listUsers(operated.actor, request)).users;
  if (!user) throw new Error('No such user');
  return { ...operated, user };
}

/** One batch with each call. */
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
