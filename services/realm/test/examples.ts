import { randomBytes } from 'node:crypto';
import { createOutsideHttp } from '@parley/shared/outside-http';
import { openPrisma } from '@parley/shared/prisma';
import type {
  CreateUserRequest,
  NewChannelSettings,
  SubscribeRequest,
  SubscribeResponse,
  UnsubscribeRequest,
  UnsubscribeResponse,
} from '@parley/shared/proto';
import { type Caller, newCall } from '@parley/shared/rpc';
import { silentLogger } from '@parley/shared/service';
import { createFakeClock, type FakeClock, openTestDatabase, testServers } from '@parley/shared/testing';
import { ROLES } from '@parley/shared/values';
import { loadConfig } from '../src/config';
import type { Context } from '../src/context';
import { PrismaClient } from '../src/generated/prisma/client';
import { subscribe, unsubscribe } from '../src/joining/subscribe';
import { endLeasesBeforeCommit } from '../src/leases/end-leases';
import { createRealm } from '../src/realms/create-realm';
import { MIGRATIONS } from '../src/service';
import { createUser } from '../src/users/create-user';

export interface TestContext extends Context {
  clock: FakeClock;
  close(): Promise<void>;
}

/** An action's context, on a separate database; without a broker, which no action uses. */
export async function openContext(): Promise<TestContext> {
  const { db, close } = await openTestDatabase({ service: 'realm', directory: MIGRATIONS }, 30);
  db.beforeCommit(endLeasesBeforeCommit({ bus: undefined as never, log: silentLogger }));
  const prisma = openPrisma(db, (adapter) => new PrismaClient({ adapter }));
  const { databaseUrl: DATABASE_URL, natsUrl: NATS_URL } = testServers();
  const config = loadConfig({ DATABASE_URL, NATS_URL, OUTGOING_ALLOW: '127.0.0.1' });
  return {
    db,
    prisma,
    bus: undefined as never,
    clock: createFakeClock(),
    log: silentLogger,
    config,
    outside: createOutsideHttp({ allow: config.OUTGOING_ALLOW }),
    async close() {
      await prisma.$disconnect();
      await close();
    },
  };
}

/** A caller with their organization, address and key. */
export interface Person extends Caller {
  subdomain: string;
  email: string;
  apiKey: string;
}

export function freshName(prefix: string): string {
  return `${prefix}-${randomBytes(4).toString('hex')}`;
}

/** Creates an organization; returns its owner. */
export async function newOrganization(ctx: Context): Promise<Person> {
  const subdomain = freshName('org');
  const account = await createRealm(ctx, {
    name: 'Example',
    subdomain,
    ownerEmail: 'olivia@example.com',
    ownerName: 'Olivia Owner',
  });
  return { ...newCall(), ...account, subdomain };
}

/** One more user of the organization; a member by default. */
export async function newUser(
  ctx: Context,
  { subdomain }: Person,
  wanted: Partial<CreateUserRequest> = {},
): Promise<Person> {
  const name = freshName('user');
  const request = { email: `${name}@example.com`, fullName: name, role: ROLES.member, ...wanted, subdomain };
  return { ...newCall(), ...(await createUser(ctx, request)), subdomain };
}

type Options = Partial<Omit<SubscribeRequest, 'channels' | 'newChannel'>> & {
  newChannel?: Partial<NewChannelSettings>;
};

/** Subscribes by name, with the defaults of the endpoint. */
export function join(
  ctx: Context,
  caller: Caller,
  names: readonly string[],
  { newChannel, ...options }: Options = {},
): Promise<SubscribeResponse> {
  return subscribe(ctx, caller, {
    channels: names.map((name) => ({ name, description: '', color: '' })),
    principalIds: [],
    principalEmails: [],
    areAuthorizationErrorsFatal: true,
    sendsNotices: false,
    ...options,
    newChannel: {
      ...{ isPrivate: false, isWebPublic: false, isDefault: false, isAnnounced: false },
      ...{ topicsPolicy: '', groupSettings: {} },
      ...newChannel,
    },
  });
}

/** Unsubscribes by name. */
export function leave(
  ctx: Context,
  caller: Caller,
  channelNames: string[],
  options: Partial<UnsubscribeRequest> = {},
): Promise<UnsubscribeResponse> {
  return unsubscribe(ctx, caller, { channelNames, principalIds: [], principalEmails: [], ...options });
}

/** That many users, without the cost of creating accounts one by one. */
export async function crowd(ctx: Context, { realmId }: Caller, size: number): Promise<number[]> {
  const name = freshName('crowd');
  const rows = await ctx.db.query<{ id: number }>(
    `insert into user_account (realm_id, delivery_email, email, full_name, full_name_key, role, created_at)
     select $1, $2 || i || '@example.com', $2 || i || '@example.com', 'Crowd', 'crowd', 400, now()
     from generate_series(1, $3::integer) i returning id`,
    [realmId, name, size],
  );
  return rows.map(({ id }) => id);
}

/** Ids of the organization's channels by name. */
export async function channelIds(ctx: Context, { realmId }: Caller): Promise<Record<string, number>> {
  const rows = await ctx.db.query<{ name: string; id: number }>('select name, id from channel where realm_id = $1', [
    realmId,
  ]);
  return Object.fromEntries(rows.map(({ name, id }) => [name, id]));
}

/** Creates a group of members and subgroups. */
export async function newGroup(
  ctx: Context,
  { realmId }: Caller,
  { name, members = [], subgroups = [] }: { name: string; members?: Caller[]; subgroups?: string[] },
): Promise<number> {
  const [group] = await ctx.db.query<{ id: number }>(
    `insert into user_group (realm_id, name, name_key, created_at) values ($1, $2, lower($2), now()) returning id`,
    [realmId, name],
  );
  const id = (group as { id: number }).id;
  await ctx.db.query(
    'insert into user_group_member (realm_id, group_id, user_id) select $1, $2, unnest($3::bigint[])',
    [realmId, id, members.map(({ userId }) => userId)],
  );
  await ctx.db.query(
    `insert into user_group_subgroup (realm_id, group_id, subgroup_id)
     select $1, $2, g.id from user_group g where g.realm_id = $1 and g.name = any($3)`,
    [realmId, id, subgroups],
  );
  return id;
}

export interface Announced {
  channelId: number;
  version: number;
  subscribedIds: number[];
  unsubscribedIds: number[];
}

/** The announced changes of the channels' subscribers, in order. */
export async function announced(ctx: Context, { realmId }: Caller): Promise<Announced[]> {
  const rows = await ctx.db.query<{ payload: string }>(
    `select payload from outbox where realm_id = $1 and kind = 'subscription.changed' order by id`,
    [realmId],
  );
  return rows.map(({ payload }) => JSON.parse(payload));
}
