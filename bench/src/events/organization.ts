import { createHash, randomBytes } from 'node:crypto';
import path from 'node:path';
import { databaseUrl as urlOf } from '@parley/shared/db';
import { connectRpc, newCall, type RpcClient } from '@parley/shared/rpc';
import pg from 'pg';
import { basic, type ServiceName, startServices } from '../parley';
import type { Servers } from '../with-servers';
import { MEMORY_QUESTION, type Memory } from './tell-memory';

/** Of filled-in people some are bots, guests, deactivated. */
const FILLED_PER_PERSON = 1.4;
const FILLED_AT_LEAST = 200;
const LONG_MS = 300_000;

/** Parley with one organization, whose owner sends, and people who listen. */
export interface Organization {
  /** The gateway's. */
  address: string;
  sender: string;
  /** `Authorization` headers of people, each with a key of their own. */
  people: string[];
  /** Makes a public channel to which the owner and the first people are subscribed. */
  createChannel(name: string, subscriberCount: number): Promise<void>;
  memoryOf(service: ServiceName): Promise<Memory>;
  stop(): Promise<void>;
}

export async function startOrganization(servers: Servers, peopleCount: number): Promise<Organization> {
  const preload = ['--expose-gc', '--require', path.join(__dirname, 'tell-memory.js')];
  const services = await startServices(servers.databaseUrl, servers.natsUrl, preload);
  const { client: realm, close } = connectRpc('realm', services.realm.address);
  const created = await realm.createRealm(newCall(), {
    name: 'Bench',
    subdomain: '',
    ownerEmail: 'sender@bench.example',
    ownerName: 'The Sender',
  });
  const owner = () => ({ ...newCall(undefined, LONG_MS), realmId: created.realmId, userId: created.userId });
  const people = await fillIn(realm, owner(), peopleCount);
  const keys = await giveKeys(servers, created.realmId, people);
  return {
    address: services.gateway.address,
    sender: basic(created.email, created.apiKey),
    people: people.map(({ email }, index) => basic(email, keys[index] as string)),
    async createChannel(name, subscriberCount) {
      const userIds = [created.userId, ...people.slice(0, subscriberCount - 1).map(({ id }) => id)];
      await realm.subscribe(owner(), {
        ...PUBLIC_CHANNEL,
        channels: [{ name, description: '', color: '' }],
        principalIds: userIds,
      });
    },
    async memoryOf(service) {
      const { memory } = await services[service].ask<{ memory: Memory }>(MEMORY_QUESTION);
      return memory;
    },
    async stop() {
      close();
      for (const service of Object.values(services).reverse()) await service.stop();
    },
  };
}

interface Person {
  id: number;
  email: string;
}

type Owner = Parameters<RpcClient<'realm'>['listUsers']>[0];

async function fillIn(realm: RpcClient<'realm'>, owner: Owner, count: number): Promise<Person[]> {
  const users = Math.ceil(count * FILLED_PER_PERSON) + FILLED_AT_LEAST;
  await realm.fillRealm(owner, { subdomain: '', users, channels: 1, seed: 1 });
  const filled = await realm.listUsers(owner, { userIds: [], hasUserIds: false, includesProfiles: false });
  const people = filled.users.filter(({ isActive, isBot, role }) => isActive && !isBot && role === 400);
  if (people.length < count) throw new Error(`there are only ${people.length} people`);
  return people.slice(0, count).map(({ id, email }) => ({ id, email }));
}

/** API keys, which nobody can ask for in such numbers. */
async function giveKeys({ databaseUrl }: Servers, realmId: number, people: readonly Person[]): Promise<string[]> {
  const keys = people.map(() => randomBytes(16).toString('hex'));
  const client = new pg.Client(urlOf(databaseUrl, 'parley', 'realm'));
  await client.connect();
  await client.query(
    `insert into api_key (realm_id, user_id, key_hash, created_at)
     select $1, user_id, key_hash, now() from unnest($2::bigint[], $3::bytea[]) as given (user_id, key_hash)`,
    [realmId, people.map(({ id }) => id), keys.map((key) => createHash('sha256').update(key).digest())],
  );
  await client.end();
  return keys;
}

const PUBLIC_CHANNEL = {
  principalEmails: [],
  areAuthorizationErrorsFatal: true,
  sendsNotices: false,
  newChannel: {
    isPrivate: false,
    isWebPublic: false,
    isDefault: false,
    topicsPolicy: 'inherit',
    groupSettings: {},
    isAnnounced: false,
  },
};
