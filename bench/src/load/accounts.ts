import { readFileSync } from 'node:fs';
import { connectRpc, newCall, type RpcClient, type RpcConnection, type TlsFiles } from '@parley/shared/rpc';
import { ROLES } from '@parley/shared/values';
import { z } from 'zod';
import { Chance } from '../base/chance';
import type { LoadAccount } from './load-api';

/** The accounts of a run. */
export interface Accounts {
  /** The Host header of their organization. */
  host: string;
  /** The largest possible number. */
  most: number;
  take(count: number): Promise<readonly LoadAccount[]>;
  close(): void;
}

const line = z.object({ email: z.string(), api_key: z.string(), user_id: z.int().optional() });

/** The accounts in a file: one line each, as printed by `user create --json` of the operator's command. Throws in one line. */
export function accountsOfFile(file: string, host: string): Accounts {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((text) => text.trim() !== '');
  const accounts = lines.map((text, index) => {
    try {
      const { email, api_key: apiKey, user_id: userId } = line.parse(JSON.parse(text));
      return { email, apiKey, userId };
    } catch {
      throw new Error(`${file}, line ${index + 1}: must be {"email":…,"api_key":…}`);
    }
  });
  return {
    host,
    most: accounts.length,
    async take(count) {
      if (count > accounts.length) throw new Error(`${file} has ${accounts.length} accounts, ${count} are wanted`);
      return accounts.slice(0, count);
    },
    close() {},
  };
}

const LONG_MS = 300_000;
const CREATED_AT_ONCE = 8;
const USERS_PER_CHANNEL = 25;
const FEWEST_CHANNELS = 8;
const CHANNELS_PER_USER = 8;
/** Messages to read from the start. */
const HISTORY = 5_000;
const MOST = 100_000;

type Made = LoadAccount & { userId: number };

/** Accounts in a separate organization, created if needed. The organization stays, for inspection. */
export async function makeAccounts(
  { tls, ...addresses }: { realm: string; messages: string; tls?: TlsFiles | undefined },
  seed: number,
): Promise<Accounts & { subdomain: string }> {
  const realm = connectRpc('realm', addresses.realm, tls);
  const subdomain = `load-${Date.now().toString(36)}`;
  const owner = await realm.client.createRealm(newCall(), {
    ...{ name: 'Load', subdomain },
    ...{ ownerEmail: 'owner@load.example', ownerName: 'The Owner' },
  });
  const organization = { realm: realm.client, subdomain, owner, chance: new Chance(seed) };
  const made: Made[] = [];
  return {
    subdomain,
    host: `${subdomain}.localhost`,
    most: MOST,
    async take(count) {
      const isFirst = made.length === 0;
      const newcomers = await createUsers(organization, made.length, count);
      made.push(...newcomers);
      await subscribe(organization, newcomers, made.length);
      if (isFirst) await fillWithMessages(connectRpc('messages', addresses.messages, tls), subdomain, seed);
      return made.slice(0, count);
    },
    close: () => realm.close(),
  };
}

interface Organization {
  realm: RpcClient<'realm'>;
  subdomain: string;
  owner: { realmId: number; userId: number };
  chance: Chance;
}

async function createUsers({ realm, subdomain }: Organization, from: number, to: number): Promise<Made[]> {
  const made: Made[] = [];
  let next = from;
  async function create(): Promise<void> {
    for (let number = next++; number < to; number = next++) {
      made.push(
        await realm.createUser(newCall(undefined, LONG_MS), {
          ...{ subdomain, role: ROLES.member },
          ...{ email: `user${number}@load.example`, fullName: `User ${number}` },
        }),
      );
    }
  }
  await Promise.all(Array.from({ length: CREATED_AT_ONCE }, create));
  return made;
}

/** Subscribes each user to a few channels; older channels are larger. */
async function subscribe({ realm, owner, chance }: Organization, users: readonly Made[], all: number): Promise<void> {
  const channels = Math.max(FEWEST_CHANNELS, Math.ceil(all / USERS_PER_CHANNEL));
  const members = new Map<number, number[]>();
  for (const { userId } of users) {
    for (let count = 0; count < CHANNELS_PER_USER; count += 1) {
      const channel = chance.below(channels);
      members.set(channel, [...(members.get(channel) ?? []), userId]);
    }
  }
  for (const [channel, userIds] of members) {
    await realm.subscribe(
      { ...newCall(undefined, LONG_MS), ...owner },
      {
        channels: [{ name: `channel ${channel}`, description: '', color: '' }],
        principalIds: [...new Set(userIds)],
        principalEmails: [],
        areAuthorizationErrorsFatal: true,
        sendsNotices: false,
        newChannel: PUBLIC_CHANNEL,
      },
    );
  }
}

const PUBLIC_CHANNEL = {
  ...{ isPrivate: false, isWebPublic: false, isDefault: false, isAnnounced: false },
  ...{ topicsPolicy: 'inherit', groupSettings: {} },
};

async function fillWithMessages(messages: RpcConnection<'messages'>, subdomain: string, seed: number): Promise<void> {
  try {
    await messages.client.fillMessages(newCall(undefined, LONG_MS), { subdomain, messages: HISTORY, seed });
  } finally {
    messages.close();
  }
}
