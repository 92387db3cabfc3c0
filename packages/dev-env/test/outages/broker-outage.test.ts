import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sendMessage } from '@parley/gateway/endpoints';
import { type EmbeddedServer, freePort, startNats } from '@parley/shared/embedded';
import { TestNetwork } from '../../src';

const directory = mkdtempSync(path.join(tmpdir(), 'parley-broker-'));
/** Without which it lets nobody in. */
const PASSWORD = 'authorization { user: parley, password: "hu,sh" }';
let broker: EmbeddedServer;
let startBroker: () => Promise<EmbeddedServer>;
let network: TestNetwork;

beforeAll(async () => {
  const port = await freePort();
  startBroker = () => startNats({ directory, isPersistent: true, port, settings: [PASSWORD] });
  broker = await startBroker();
  network = await TestNetwork.create({ natsUrl: broker.url.replace('//', '//parley:hu%2Csh@') });
});

afterAll(async () => {
  await network.stop();
  await broker.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function send(content: string): Promise<void> {
  await network.dan.call(sendMessage, { type: 'channel', to: 'general', topic: 'outage', content });
}

describe('while the broker is unreachable', () => {
  test.each([
    ['stopped', (server: EmbeddedServer) => server.stop()],
    [
      'killed',
      async (server: EmbeddedServer) => {
        process.kill(server.pid, 'SIGKILL');
        await server.ended;
      },
    ],
  ])(
    'messages are sent all the same, and arrive in order when it is back: %s',
    async (how, takeAway) => {
      const events = await network.eve.events({ event_types: ['message'] });
      await send(`${how}: before`);
      expect(await events.next('message')).toMatchObject({ message: { content: `${how}: before` } });
      const waiting = events.take('message', 6);
      await takeAway(broker);
      const contents = [1, 2, 3, 4, 5].map((number) => `${how}: meanwhile ${number}`);
      for (const content of contents) await send(content);
      broker = await startBroker();
      await send(`${how}: after`);
      const received = (await waiting).map(({ message }) => (message as { content: string }).content);
      expect(received).toEqual([...contents, `${how}: after`]);
      await network.settle();
      expect(await events.rest()).toEqual([]);
    },
    60_000,
  );
});
