import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';
import { databaseUrl as urlOf } from '@parley/shared/db';
import { connectRpc } from '@parley/shared/rpc';
import pg from 'pg';
import { basic, createChannel, createOrganization, fillOrganization, listMembers } from '../base/organization';
import { readProcesses } from '../base/processes';
import type { Servers } from '../base/servers';
import { type ServiceName, type Services, startPollers, startServices, stopServices } from '../base/services';
import { MEMORY_QUESTION, type Memory } from './report-memory';

/** Some of the users that the organization is filled with are bots, guests or deactivated. */
const FILLED_PER_PERSON = 1.4;
const FILLED_AT_LEAST = 200;

/** Parley with one organization: the owner sends, other users listen. */
export interface Organization {
  /** The gateway's. */
  address: string;
  sender: string;
  /** `Authorization` headers of users, each with their own key. */
  people: string[];
  /** Makes a public channel to which the owner and the first people are subscribed. */
  createChannel(name: string, subscriberCount: number): Promise<void>;
  /** The same with another events service and gateway, with these settings. */
  beside(settings: NodeJS.ProcessEnv): Promise<ExtraEvents>;
  memoryOf(service: ServiceName): Promise<Memory>;
  stop(): Promise<void>;
}

/** An events service with a gateway in front of it. */
export interface ExtraEvents {
  /** The gateway's. */
  address: string;
  /** CPU time of both so far. */
  cpuMs(): number;
  stop(): Promise<void>;
}

export async function startOrganization(servers: Servers, peopleCount: number): Promise<Organization> {
  const preload = ['--expose-gc', '--require', path.join(__dirname, 'report-memory.js')];
  const services = await startServices(servers, { nodeOptions: preload });
  const { client: realm, close } = connectRpc('realm', services.realm.address);
  const owner = await createOrganization(realm);
  await fillOrganization(realm, { users: Math.ceil(peopleCount * FILLED_PER_PERSON) + FILLED_AT_LEAST, channels: 1 });
  const people = (await listMembers(realm, owner)).slice(0, peopleCount);
  if (people.length < peopleCount) throw new Error(`there are only ${people.length} people`);
  const ids = people.map(({ id }) => id);
  const keys = await giveKeys(servers, owner.realmId, ids);
  return {
    address: services.gateway.address,
    sender: basic(owner.email, owner.apiKey),
    people: people.map(({ email }, index) => basic(email, keys[index] as string)),
    createChannel: (name, subscriberCount) =>
      createChannel(realm, owner, { name, userIds: [owner.userId, ...ids.slice(0, subscriberCount - 1)] }),
    beside: (settings) => startExtraEvents(servers, services, settings),
    async memoryOf(service) {
      const { memory } = await services[service].ask<{ memory: Memory }>(MEMORY_QUESTION);
      return memory;
    },
    async stop() {
      close();
      await stopServices(services);
    },
  };
}

async function startExtraEvents(
  servers: Servers,
  services: Services,
  settings: NodeJS.ProcessEnv,
): Promise<ExtraEvents> {
  const { events, gateway } = await startPollers(servers, services, settings);
  return {
    address: gateway.address,
    cpuMs() {
      const processes = readProcesses();
      return [gateway, events].reduce((sum, { pid }) => sum + (processes.get(pid)?.cpuMs ?? 0), 0);
    },
    async stop() {
      await gateway.stop();
      await events.stop();
    },
  };
}

/** API keys, written to the database: no endpoint creates so many. */
async function giveKeys({ databaseUrl }: Servers, realmId: number, userIds: readonly number[]): Promise<string[]> {
  const keys = userIds.map(() => randomBytes(16).toString('hex'));
  const client = new pg.Client(urlOf(databaseUrl, 'parley', 'realm'));
  await client.connect();
  await client.query(
    `insert into api_key (realm_id, user_id, key_hash, created_at)
     select $1, user_id, key_hash, now() from unnest($2::bigint[], $3::bytea[]) as given (user_id, key_hash)`,
    [realmId, userIds, keys.map((key) => createHash('sha256').update(key).digest())],
  );
  await client.end();
  return keys;
}
