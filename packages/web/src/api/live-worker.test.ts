import '../../test/empty-page';
import { FakeServer } from '../../test/fake-server';
import { registered } from '../../test/registered';
import type { LiveNews } from './live-session';
import type { Request } from './live-worker';

type Connect = (event: { ports: readonly MessagePort[] }) => void;

const worker: { onconnect?: Connect } = {};
const server = new FakeServer();
const { setTimeout: later } = globalThis;
beforeAll(async () => {
  server.start();
  Object.assign(globalThis, { self: worker });
  await import('./live-worker');
});
afterAll(() => {
  server.stop();
  globalThis.setTimeout = later;
});

const channels: MessageChannel[] = [];
afterAll(() => {
  for (const { port1 } of channels) port1.close();
});

/** Opens a tab. Resolves with how the connection is, each time it is told. */
function openTab(): { next: () => Promise<string> } {
  const channel = new MessageChannel();
  channels.push(channel);
  const [told, waiting]: [string[], ((link: string) => void)[]] = [[], []];
  channel.port1.onmessage = ({ data }: MessageEvent<LiveNews>) => {
    if (data.kind !== 'link') return;
    const take = waiting.shift();
    if (take) take(data.link);
    else told.push(data.link);
  };
  worker.onconnect?.({ ports: [channel.port2] });
  channel.port1.postMessage({ kind: 'hello', token: 'token' } satisfies Request);
  return {
    next: () => new Promise((resolve) => (told.length > 0 ? resolve(told.shift() as string) : waiting.push(resolve))),
  };
}

test('a tab that is opened ends the pause before the next attempt', async () => {
  // Pauses do not end by themselves.
  globalThis.setTimeout = (() => 0) as never;
  const lost = () => {
    throw new TypeError('Failed to fetch');
  };
  const polls = [lost, () => ({ events: [] }), () => new Promise<never>(() => {})];
  server.answer = ({ path }) => (path === '/json/register' ? { ...registered('queue-1') } : (polls.shift() ?? lost)());
  const first = openTab();
  expect([await first.next(), await first.next()]).toEqual(['up', 'down']);
  openTab();
  expect(await first.next()).toBe('up');
});
