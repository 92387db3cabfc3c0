import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, databaseUrl, openDatabase } from '@parley/shared/db';
import { connectRpc } from '@parley/shared/rpc';
import { basic, createChannel, createOrganization, fillOrganization, listMembers } from '../base/organization';
import type { Servers } from '../base/servers';
import { startServices, stopServices } from '../base/services';
import { sendToAll } from './wildcards';

const WITHIN_MS = 300_000;
const LOOK_EVERY_MS = 20;
const ROUNDS = 2;

export interface Pushes {
  /** Devices, one for each person. */
  devices: number;
  /** From the answer to the send until the push gateway has the notification of the first and of the last device. */
  firstMs: number;
  lastMs: number;
}

/** One message mentions many people with a phone each; the second round counts, with warm processes. */
export async function measurePushes({ databaseUrl: url, natsUrl }: Servers, users: number): Promise<Pushes> {
  const gateway = await startGateway();
  const own = { PUSH_GATEWAY_URL: gateway.url, PUSH_GATEWAY_KEY: `whsec_${Buffer.alloc(32).toString('base64')}` };
  const services = await startServices({ databaseUrl: url, natsUrl }, { own });
  const realm = connectRpc('realm', services.realm.address);
  const [ofRealm, ofScheduler] = ['realm', 'scheduler'].map((name) =>
    openDatabase({ url: databaseUrl(url, 'parley', name), poolSize: 1, applicationName: 'bench' }),
  ) as [Database, Database];
  try {
    const owner = await createOrganization(realm.client);
    await fillOrganization(realm.client, { users: Math.ceil(users * 1.3), channels: 1 });
    const userIds = (await listMembers(realm.client, owner)).map(({ id }) => id).slice(0, users);
    await createChannel(realm.client, owner, { name: 'many', userIds });
    await registerPhones(ofRealm, ofScheduler, userIds);
    const headers = {
      authorization: basic(owner.email, owner.apiKey),
      'content-type': 'application/x-www-form-urlencoded',
    };
    const devices = userIds.filter((id) => id !== owner.userId).length;
    let times = { firstMs: 0, lastMs: 0 };
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await sendToAll(services.gateway.address, headers, 'many');
      times = await gateway.untilNotified(id, devices);
      await forgetPushes(ofScheduler);
    }
    return { devices, ...times };
  } finally {
    await Promise.all([ofRealm.close(), ofScheduler.close()]);
    realm.close();
    await stopServices(services);
    gateway.stop();
  }
}

/** As if everybody had signed in on a phone. */
async function registerPhones(ofRealm: Database, ofScheduler: Database, userIds: readonly number[]): Promise<void> {
  const keys = await ofRealm.query<{ realm_id: number; id: number; user_id: number }>(
    `insert into api_key (realm_id, user_id, key_hash, created_at)
     select realm_id, id, sha256(('phone' || id)::bytea), now() from user_account where id = any($1)
     returning realm_id, id, user_id`,
    [userIds],
  );
  await ofScheduler.query(
    `insert into push_device (realm_id, user_id, kind, token, token_hash, api_key_id, registered_at)
     select realm_id, user_id, 'fcm', 'phone' || user_id, sha256(('phone' || user_id)::bytea), key_id, now()
     from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as key (realm_id, user_id, key_id)`,
    [keys.map((key) => key.realm_id), keys.map((key) => key.user_id), keys.map((key) => key.id)],
  );
}

/** As if everybody had read the message, and the intervals were over. */
async function forgetPushes(ofScheduler: Database): Promise<void> {
  const left = `select 1 from due_job where kind = 'push' limit 1`;
  while ((await ofScheduler.query(left)).length > 0) await sleep(LOOK_EVERY_MS);
  await ofScheduler.query('delete from push');
  await ofScheduler.query('update push_device set pushed_at = null');
}

interface Notification {
  id: string;
  token: string;
  note: { type: string; messages?: { id: number }[] };
}

/** A push gateway that takes everything at once. */
async function startGateway() {
  const toldAt = new Map<number, Map<string, number>>();
  const take = ({ token, note }: Notification) => {
    const id = note.messages?.at(-1)?.id ?? 0;
    const tokens = toldAt.get(id) ?? new Map<string, number>();
    toldAt.set(id, tokens.set(token, performance.now()));
  };
  const server = createServer(async (request, response) => {
    const { notifications } = (await json(request)) as { notifications: Notification[] };
    for (const notification of notifications) take(notification);
    response.end(JSON.stringify({ results: notifications.map(({ id }) => ({ id, status: 'sent' })) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async untilNotified(messageId: number, devices: number): Promise<{ firstMs: number; lastMs: number }> {
      const begunAt = performance.now();
      while ((toldAt.get(messageId)?.size ?? 0) < devices) {
        if (performance.now() - begunAt > WITHIN_MS) throw new Error(`${toldAt.get(messageId)?.size} are notified`);
        await sleep(LOOK_EVERY_MS);
      }
      const times = [...(toldAt.get(messageId)?.values() ?? [])].map((at) => at - begunAt);
      return { firstMs: Math.max(0, Math.min(...times)), lastMs: Math.max(...times) };
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
