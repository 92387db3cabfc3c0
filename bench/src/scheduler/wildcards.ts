import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, databaseUrl, openDatabase } from '@parley/shared/db';
import { connectRpc } from '@parley/shared/rpc';
import { request } from 'undici';
import { quantiles } from '../base/measure';
import { basic, createChannel, createOrganization, fillOrganization, listMembers } from '../base/organization';
import type { Servers } from '../base/servers';
import { startServices, stopServices } from '../base/services';

const FEW = 10;
const LOOK_EVERY_MS = 20;
const STORED_WITHIN_MS = 60_000;

export interface Wildcards {
  /** Subscribers of the large channel. */
  many: number;
  /** Median of a send to everybody of the small and of the large channel. */
  sendMs: { few: number; many: number };
  /** People who are to get a mail, and the time from the answer to the send until that is stored; the longest of some. */
  told: number;
  storedMs: number;
}

/** Everybody in a channel is mentioned: what that costs the sender, and how soon it is stored who is to be told. */
export async function measureWildcards({ databaseUrl: url, natsUrl }: Servers, users: number): Promise<Wildcards> {
  const services = await startServices({ databaseUrl: url, natsUrl });
  const realm = connectRpc('realm', services.realm.address);
  const database = openDatabase({
    url: databaseUrl(url, 'parley', 'scheduler'),
    poolSize: 1,
    applicationName: 'bench',
  });
  try {
    const owner = await createOrganization(realm.client);
    // Some of them are bots, guests or deactivated.
    await fillOrganization(realm.client, { users: Math.ceil(users * 1.3), channels: 1 });
    const userIds = (await listMembers(realm.client, owner)).map(({ id }) => id).slice(0, users);
    await createChannel(realm.client, owner, { name: 'few', userIds: userIds.slice(0, FEW) });
    await createChannel(realm.client, owner, { name: 'many', userIds });
    const headers = {
      authorization: basic(owner.email, owner.apiKey),
      'content-type': 'application/x-www-form-urlencoded',
    };
    const send = (channel: string) => sendToAll(services.gateway.address, headers, channel);
    const stored = (messageId: number) => untilStored(database, messageId);
    const durations = await measureSends(send, stored);
    return { many: userIds.length, ...durations };
  } finally {
    await database.close();
    realm.close();
    await stopServices(services);
  }
}

const ROUNDS = 12;
/** The first sends of new processes. */
const WARM_UP = 2;

type Send = (channel: string) => Promise<{ id: number; durationMs: number }>;

/** Sends to both channels in turn, so that both have the same luck with the machine; each when the one before is stored. */
async function measureSends(send: Send, stored: (messageId: number) => Promise<{ count: number; tookMs: number }>) {
  const durationsMs: Record<'few' | 'many', number[]> = { few: [], many: [] };
  let [told, storedMs] = [0, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const channel of ['few', 'many'] as const) {
      const { id, durationMs } = await send(channel);
      const { count, tookMs } = await stored(id);
      if (round < WARM_UP) continue;
      durationsMs[channel].push(durationMs);
      told = Math.max(told, count);
      storedMs = Math.max(storedMs, tookMs);
    }
  }
  return { sendMs: { few: quantiles(durationsMs.few).p50Ms, many: quantiles(durationsMs.many).p50Ms }, told, storedMs };
}

export async function sendToAll(address: string, headers: Record<string, string>, channel: string) {
  const body = new URLSearchParams({ type: 'channel', to: channel, topic: 'news', content: '@**all** hello' });
  const begunAt = performance.now();
  const answer = await request(`http://${address}/api/v1/messages`, { method: 'POST', headers, body: body.toString() });
  const { id, msg } = (await answer.body.json()) as { id?: number; msg: string };
  if (id === undefined) throw new Error(`a send was refused: ${msg}`);
  return { id, durationMs: performance.now() - begunAt };
}

/** All of a message's people are stored by one transaction. */
async function untilStored(database: Database, messageId: number): Promise<{ count: number; tookMs: number }> {
  const begunAt = performance.now();
  for (;;) {
    const sql = 'select count(*)::int as count from missed_message where message_id = $1';
    const [{ count } = { count: 0 }] = await database.query<{ count: number }>(sql, [messageId]);
    const tookMs = performance.now() - begunAt;
    if (count > 0) return { count, tookMs };
    if (tookMs > STORED_WITHIN_MS) throw new Error('nobody is to be told of a message');
    await sleep(LOOK_EVERY_MS);
  }
}
