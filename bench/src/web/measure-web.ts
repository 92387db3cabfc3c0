import { serveChromium } from '@parley/dev-env';
import { databaseUrl as urlOf } from '@parley/shared/db';
import { connectRpc, newCall } from '@parley/shared/rpc';
import pg from 'pg';
import { type Browser, chromium } from 'playwright-core';
import { ms, print } from '../base/command';
import { readProcesses, treeOf } from '../base/processes';
import type { Servers } from '../base/servers';
import { findSubjects, type Subjects } from '../messages/subjects';
import { Api, post } from '../operations/api';
import { type FilledParley, startFilledParley } from '../operations/filled-parley';
import { LOADED_FILES, type LoadedFile, type Scrolled, scrollUp } from './in-page';
import { heapMb, mainThreadMs, signIn, type Visitor, visit } from './visitor';

export interface Size {
  name: string;
  users: number;
  channels: number;
  messages: number;
  topics: number;
  unread: number;
}

export const SMALL: Size = { name: 'small', users: 12, channels: 6, messages: 600, topics: 30, unread: 200 };
export const LARGE: Size = {
  name: 'large',
  users: 20_000,
  channels: 2_000,
  messages: 400_000,
  topics: 2_000,
  unread: 50_000,
};
const FILL_TIMEOUT_MS = 900_000;
const SIGN_INS = 3;
const KEYSTROKES = 60;
const SCROLLED_MESSAGES = 5_000;
const HOURLY_MESSAGES = 18_000;
const SLEPT_EVENTS = 2_000;
const SENT_AT_ONCE = 16;
/** The topic of messages sent while the client is open; it has no unread messages before. */
const LIVE_TOPIC = 'live';

interface LargestChannel {
  channelId: number;
  newestId: number;
}

interface Scene {
  parley: FilledParley;
  api: Api;
  /** The reader's address, which signs in without a password. */
  email: string;
  /** The largest of the reader's channels. */
  channel: LargestChannel;
  /** Its address. */
  hash: string;
  browser: Browser;
  browserPid: number;
}

/** Measures in an organization of this size; `isWhole`: also how the client behaves in use. */
export async function measureWeb(servers: Servers, size: Size, isWhole: boolean): Promise<void> {
  await withScene(servers, size, async (scene) => {
    await measureStart(scene, size);
    if (isWhole) await measureUse(scene);
  });
}

async function withScene(servers: Servers, size: Size, work: (scene: Scene) => Promise<void>): Promise<void> {
  const parley = await startFilledParley(servers, size, { DEV_LOGIN: 'true' });
  const api = new Api(parley.baseUrl, parley.authorization, SENT_AT_ONCE);
  const [realm, messages] = ['realm', 'messages'].map(
    (name) => new pg.Client(urlOf(servers.databaseUrl, 'parley', name)),
  );
  const server = await serveChromium();
  try {
    await Promise.all([realm?.connect(), messages?.connect()]);
    const clients = { realm: realm as pg.Client, messages: messages as pg.Client };
    const { reader } = await fill(parley, api, size, clients);
    const channel = await largestChannel(clients.messages, parley.realmId, reader.channelIds);
    const browser = await chromium.connect(server.wsEndpoint());
    const email = emailOf(reader.authorization);
    const hash = `#narrow/channel/${channel.channelId}-x`;
    await work({ parley, api, channel, email, hash, browser, browserPid: server.process().pid as number });
  } finally {
    await server.close();
    await Promise.all([realm?.end(), messages?.end(), api.close()]);
    await parley.stop();
  }
}

async function fill(
  parley: FilledParley,
  api: Api,
  { messages, topics, unread, name, users, channels }: Size,
  clients: Record<'realm' | 'messages', pg.Client>,
): Promise<Subjects> {
  const { client, close } = connectRpc('messages', parley.addresses.messages);
  await client.fillMessages(newCall(undefined, FILL_TIMEOUT_MS), { subdomain: '', messages, topics, seed: 1 });
  close();
  const subjects = await findSubjects(parley, api, clients);
  const { userId, channelIds } = subjects.reader;
  await clients.messages.query(
    `update read_watermark set message_id = coalesce((
       select id from message where realm_id = $1 and channel_id = any($3) order by id desc offset $4 limit 1), 0)
     where realm_id = $1 and user_id = $2`,
    [parley.realmId, userId, channelIds, unread],
  );
  for (const each of Object.values(clients)) await each.query('vacuum (analyze)');
  print(`${name}: ${users} people, ${channels} channels, ${messages} messages, ${unread} of them unread`);
  return subjects;
}

async function largestChannel(
  client: pg.Client,
  realmId: number,
  channelIds: readonly number[],
): Promise<LargestChannel> {
  const { rows } = await client.query<{ channel_id: string; newest: string }>(
    `select channel_id, max(id) as newest from message where realm_id = $1 and channel_id = any($2)
     group by channel_id order by count(*) desc limit 1`,
    [realmId, channelIds],
  );
  const { channel_id, newest } = rows[0] as (typeof rows)[0];
  return { channelId: Number(channel_id), newestId: Number(newest) };
}

const emailOf = (authorization: string) =>
  Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
    .toString()
    .split(':')[0] as string;

function row(name: string, figure: string, bound: string): void {
  print(`  ${name.padEnd(48)} ${figure.padStart(12)}   (at most ${bound})`, '');
}

/** Bytes and time before the first view; the median of some sign-ins with an empty cache. */
async function measureStart({ browser, parley, email, hash }: Scene, { name }: Size): Promise<void> {
  const times: number[] = [];
  for (let count = 0; count < SIGN_INS; count += 1) {
    const visitor = await visit(browser);
    times.push(await signIn(visitor, parley.baseUrl, email, hash));
    if (count === 0) await printBytes(visitor, parley.baseUrl);
    await visitor.context.close();
  }
  const median = times.sort((a, b) => a - b)[Math.floor(SIGN_INS / 2)] as number;
  row('first channel after signing in', ms(median), name === 'small' ? '1,000 ms' : '2,500 ms');
}

async function printBytes({ page }: Visitor, baseUrl: string): Promise<void> {
  const files = (await page.evaluate(LOADED_FILES)) as LoadedFile[];
  const kb = (ending: string) =>
    `${(files.filter(({ name }) => name.endsWith(ending)).reduce((sum, { bytes }) => sum + bytes, 0) / 1e3).toFixed(1)} KB`;
  row('JavaScript, compressed', kb('.js'), '110 KB');
  row('CSS, compressed', kb('.css'), '15 KB');
  row('requests to other hosts', String(files.filter(({ name }) => !name.startsWith(baseUrl)).length), '0');
}

async function measureUse(scene: Scene): Promise<void> {
  const visitor = await visit(scene.browser);
  await signIn(visitor, scene.parley.baseUrl, scene.email, scene.hash);
  await measureKeystrokes(visitor);
  await measureScrolling(visitor, scene);
  await openLiveTopic(visitor, scene);
  await measureSleep(visitor, scene);
  await measureHour(visitor, scene);
  await visitor.context.close();
}

async function measureKeystrokes(visitor: Visitor): Promise<void> {
  const { page } = visitor;
  const box = page.locator('.compose textarea');
  await box.click();
  for (const [title, text] of [
    ['a letter', 'The quick brown fox jumps over the lazy dog. '.repeat(2)],
    ['a letter of a name after @', '@mar @ann @ste @bo'.repeat(4)],
  ] as const) {
    const before = await mainThreadMs(visitor);
    await box.pressSequentially(text.slice(0, KEYSTROKES), { delay: 50 });
    row(`keystroke: ${title}, work of the page`, ms(((await mainThreadMs(visitor)) - before) / KEYSTROKES), '16 ms');
  }
  await box.fill('');
}

/** Scrolls up through messages as with a wheel, and counts frames. */
async function measureScrolling({ page }: Visitor, { parley, hash, channel: { newestId } }: Scene): Promise<void> {
  await page.goto(`${parley.baseUrl}/${hash}/near/${newestId}`);
  await page.locator(`article[data-id="${newestId}"]`).waitFor();
  const seen = (await page.evaluate(scrollUp(SCROLLED_MESSAGES))) as Scrolled;
  print(
    `  ${`scrolling through ${seen.messages} messages`.padEnd(48)} ${seen.perSecond.toFixed(1)} frames/s   (at least 50)`,
    '',
  );
}

/** Messages of others to the live topic, numbered down to 0. */
async function send({ api, channel }: Scene, count: number, text: string): Promise<void> {
  let left = count;
  const sender = async () => {
    for (; left > 0; ) {
      left -= 1;
      await api.call(
        post('/messages', {
          type: 'channel',
          to: String(channel.channelId),
          topic: LIVE_TOPIC,
          content: `${text} ${left}`,
        }),
      );
    }
  };
  await Promise.all(Array.from({ length: SENT_AT_ONCE }, sender));
}

/** It has one message, so the client is at its end, where new ones appear. */
async function openLiveTopic({ page }: Visitor, scene: Scene): Promise<void> {
  await send(scene, 1, 'the first');
  await page.goto(`${scene.parley.baseUrl}/${scene.hash}/topic/${LIVE_TOPIC}`);
  await page.getByText('the first 0').first().waitFor();
}

/** All processes of the browser rest, as in a computer that sleeps, while messages are sent. */
async function measureSleep({ page }: Visitor, scene: Scene): Promise<void> {
  const pids = [...treeOf(scene.browserPid, readProcesses())].filter((pid) => pid !== scene.browserPid);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  await send(scene, SLEPT_EVENTS, 'while asleep');
  await send(scene, 1, 'the last');
  const begunAt = performance.now();
  for (const pid of pids) process.kill(pid, 'SIGCONT');
  await page.getByText('the last 0').first().waitFor();
  row(`awake after ${SLEPT_EVENTS} messages`, ms(performance.now() - begunAt), '1,000 ms');
}

/** As many messages as come in an hour with five a second, one after another. */
async function measureHour(visitor: Visitor, scene: Scene): Promise<void> {
  await send(scene, HOURLY_MESSAGES, 'in an hour');
  await send(scene, 1, 'the end');
  await visitor.page.getByText('the end 0').first().waitFor();
  row(`heap after ${HOURLY_MESSAGES} messages`, `${(await heapMb(visitor)).toFixed(0)} MB`, '120 MB');
}
