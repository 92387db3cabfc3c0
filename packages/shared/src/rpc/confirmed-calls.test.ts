import { BadRequestError, UnauthorizedError } from '../errors';
import { silentLogger } from '../observability';
import { answerOnly } from '../testing';
import { byCaller, type Caller, type Confirmation, connectRpc, newCall, serve } from './index';

const USED = { apiKeyId: 7, email: 'zoë@example.com', subdomain: 'org', role: 400 };
const carrying = (apiKeyId = USED.apiKeyId) => ({
  ...newCall('request-1'),
  realmId: 3,
  userId: 5,
  credential: { ...USED, apiKeyId, isConfirmed: false },
});
const REVOKED = 8;

/** A service whose methods record that they ran and with which confirmation; `confirm` takes a turn longer than a method. */
async function serveNoting(more: Partial<Confirmation<'messages'>> | null = {}) {
  const seen: string[] = [];
  const note = (name: string) =>
    byCaller(async (caller: Caller) => {
      seen.push(`${name} ${caller.credential ? (caller.credential.isConfirmed ? 'confirmed' : 'not yet') : 'without'}`);
      return {} as never;
    });
  const confirmation: Confirmation<'messages'> = {
    async confirm({ credential }) {
      await new Promise(setImmediate);
      seen.push(
        `confirm ${credential.apiKeyId} of ${credential.email} as ${credential.role} at ${credential.subdomain}`,
      );
      if (credential.apiKeyId === REVOKED) throw new UnauthorizedError('Invalid API key');
    },
    ...more,
  };
  const server = await serve({
    service: 'messages',
    implementation: answerOnly<'messages'>({
      getDrafts: note('read'),
      addReaction: note('write'),
      deleteMessage: byCaller(async () => {
        throw new BadRequestError('refused');
      }),
      renderContent: note('write'),
    }),
    ...(more && { confirmation }),
    address: '127.0.0.1:0',
    log: silentLogger,
  });
  const connection = connectRpc('messages', server.address);
  const close = async () => {
    connection.close();
    await server.stop(100);
  };
  return { ...connection, seen, close };
}

const CONFIRMED = 'confirm 7 of zoë@example.com as 400 at org';
const REACTION = { messageId: 1 };
/** Too long for a multiplexed call. */
const LONG = { content: 'x'.repeat(100_000) };

test.each([
  ['before what changes something', {}, 'addReaction', REACTION, [CONFIRMED, 'write confirmed']],
  ['beside what only reads', {}, 'getDrafts', {}, ['read not yet', CONFIRMED]],
  [
    'before what changes something in spite of its name',
    { changing: ['getDrafts'] },
    'getDrafts',
    {},
    [CONFIRMED, 'read confirmed'],
  ],
  [
    'after what should have asked realm, and has not',
    { within: ['addReaction'] },
    'addReaction',
    REACTION,
    ['write not yet', CONFIRMED],
  ],
  ['for a call of its own stream', {}, 'renderContent', LONG, expect.arrayContaining([CONFIRMED])],
] as const)('a credential is confirmed %s', async (_case, more, method, request, order) => {
  const { client, seen, close } = await serveNoting(more as Partial<Confirmation<'messages'>>);
  const caller = carrying();
  await client[method](caller, request as never);
  expect(seen).toEqual(order);
  expect(caller.credential.isConfirmed).toBe(true);
  await close();
});

test('a credential that is no longer good changes nothing, and is not answered', async () => {
  const { client, seen, close } = await serveNoting();
  const caller = carrying(REVOKED);
  await expect(client.addReaction(caller, REACTION as never)).rejects.toThrow('Invalid API key');
  await expect(client.getDrafts(caller, {})).rejects.toThrow('Invalid API key');
  expect(seen.filter((line) => line.startsWith('write'))).toEqual([]);
  expect(caller.credential.isConfirmed).toBe(false);
  await close();
});

test('a credential travels until a call of the request was answered', async () => {
  const { client, seen, close } = await serveNoting();
  const caller = carrying();
  await expect(client.deleteMessage(caller, { messageId: 1 })).rejects.toThrow('refused');
  expect(caller.credential.isConfirmed).toBe(false);
  await client.getDrafts(caller, {});
  await client.addReaction({ ...caller, requestId: 'request-2' }, REACTION as never);
  expect(seen).toEqual([CONFIRMED, 'read not yet', CONFIRMED, 'write without']);
  await close();
});

test('a service that cannot confirm credentials refuses calls with one', async () => {
  const { client, seen, close } = await serveNoting(null);
  await expect(client.addReaction(carrying(), REACTION as never)).rejects.toThrow('INTERNAL');
  await expect(client.getDrafts(carrying(), {})).rejects.toThrow('INTERNAL');
  await client.addReaction({ ...newCall(), realmId: 3, userId: 5 }, REACTION as never);
  expect(seen.filter((line) => line.startsWith('write'))).toEqual(['write without']);
  await close();
});
