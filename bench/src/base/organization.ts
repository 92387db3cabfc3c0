import type { NewAccount } from '@parley/shared/proto';
import { newCall, type RpcClient } from '@parley/shared/rpc';

const LONG_MS = 900_000;
const MEMBER = 400;
const OWNER_EMAIL = 'owner@bench.example';

/** Creates the organization for the measurement, at the root domain. Resolves with its owner. */
export function createOrganization(realm: RpcClient<'realm'>): Promise<NewAccount> {
  return realm.createRealm(newCall(), {
    name: 'Bench',
    subdomain: '',
    ownerEmail: OWNER_EMAIL,
    ownerName: 'The Owner',
  });
}

/** The owner of the organization that an earlier run has made, with a new key; null: there is none. */
export async function findOrganization(realm: RpcClient<'realm'>): Promise<NewAccount | null> {
  const { realms } = await realm.listRealms(newCall(), {});
  const [found] = realms.filter(({ subdomain }) => subdomain === '');
  if (!found) return null;
  const owner = { subdomain: '', username: OWNER_EMAIL, label: 'bench' };
  const { userId, apiKey } = await realm.devFetchApiKey(newCall(), owner);
  return { realmId: found.id, userId, email: OWNER_EMAIL, apiKey };
}

/** Fills it with users, some of them bots, guests or deactivated, and with channels. Resolves with the number of subscriptions. */
export async function fillOrganization(
  realm: RpcClient<'realm'>,
  size: { users: number; channels: number },
): Promise<number> {
  const filled = await realm.fillRealm(newCall(undefined, LONG_MS), { subdomain: '', ...size, seed: 1 });
  return filled.subscriptions;
}

/** Its active people, without its owner. */
export async function listMembers(
  realm: RpcClient<'realm'>,
  owner: NewAccount,
): Promise<{ id: number; email: string }[]> {
  const all = { userIds: [], hasUserIds: false, includesProfiles: false };
  const { users } = await realm.listUsers(callOf(owner), all);
  const members = users.filter(({ isActive, isBot, role }) => isActive && !isBot && role === MEMBER);
  return members.map(({ id, email }) => ({ id, email }));
}

/** Creates a public channel with these subscribers. */
export async function createChannel(
  realm: RpcClient<'realm'>,
  owner: NewAccount,
  { name, userIds }: { name: string; userIds: number[] },
): Promise<void> {
  await realm.subscribe(callOf(owner), {
    channels: [{ name, description: '', color: '' }],
    principalIds: userIds,
    principalEmails: [],
    areAuthorizationErrorsFatal: true,
    sendsNotices: false,
    newChannel: {
      ...{ isPrivate: false, isWebPublic: false, isDefault: false, isAnnounced: false },
      ...{ topicsPolicy: 'inherit', groupSettings: {} },
    },
  });
}

function callOf({ realmId, userId }: NewAccount) {
  return { ...newCall(undefined, LONG_MS), realmId, userId };
}

/** An `Authorization` header. */
export function basic(email: string, apiKey: string): string {
  return `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`;
}
