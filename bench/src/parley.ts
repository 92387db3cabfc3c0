import path from 'node:path';
import { freePort } from '@parley/shared/embedded';
import { connectRpc, newCall } from '@parley/shared/rpc';
import { type ChildServer, startChild } from './child';

/** The six services as processes, and an organization to measure in. */
export interface Parley {
  baseUrl: string;
  /** `Authorization` headers. */
  sender: string;
  receiver: string;
  /** Makes a public channel with this many subscribers, the sender among them, and answers its name. */
  createChannel(subscriberCount: number): Promise<string>;
  stop(): Promise<void>;
}

export async function startParley(databaseUrl: string, natsUrl: string): Promise<Parley> {
  const services = await startServices(databaseUrl, natsUrl);
  const realm = connectRpc('realm', services.realm.address);
  const created = await realm.client.createRealm(newCall(), {
    name: 'Bench',
    subdomain: '',
    ownerEmail: 'sender@bench.example',
    ownerName: 'The Sender',
  });
  const receiver = await realm.client.createUser(newCall(), {
    subdomain: '',
    email: 'receiver@bench.example',
    fullName: 'The Receiver',
    role: 400,
    mayCreateUsers: false,
  });
  const owner = () => ({ ...newCall(undefined, 60_000), realmId: created.realmId, userId: created.userId });
  await realm.client.fillRealm(newCall(undefined, 60_000), { subdomain: '', users: 14_000, channels: 1, seed: 1 });
  const { users } = await realm.client.listUsers(owner(), { userIds: [], hasUserIds: false, includesProfiles: false });
  const others = users.filter(({ isActive, isBot, role }) => isActive && !isBot && role === 400).map(({ id }) => id);
  const userIds = [...new Set([created.userId, receiver.userId, ...others])];

  async function createChannel(subscriberCount: number): Promise<string> {
    if (userIds.length < subscriberCount) throw new Error(`there are only ${userIds.length} people to subscribe`);
    const name = `bench ${subscriberCount}`;
    await realm.client.subscribe(owner(), {
      channels: [{ name, description: '', color: '' }],
      principalIds: userIds.slice(0, subscriberCount),
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
    });
    return name;
  }

  return {
    baseUrl: `http://${services.gateway.address}`,
    sender: basic(created.email, created.apiKey),
    receiver: basic(receiver.email, receiver.apiKey),
    createChannel,
    async stop() {
      realm.close();
      for (const service of Object.values(services).reverse()) await service.stop();
    },
  };
}

export type ServiceName = 'realm' | 'messages' | 'events' | 'gateway';

export interface ServiceProcess extends ChildServer {
  /** Where it tells its metrics. */
  metricsAddress: string;
}

/** The six services as processes; `nodeOptions` are Node's own. */
export async function startServices(
  databaseUrl: string,
  natsUrl: string,
  nodeOptions: readonly string[] = [],
): Promise<Record<ServiceName | 'invites' | 'scheduler', ServiceProcess>> {
  const common = { DATABASE_URL: databaseUrl, NATS_URL: natsUrl, LOG_LEVEL: 'warn', RATE_LIMITS: 'off' };
  const start = async (service: string, environment: NodeJS.ProcessEnv = {}): Promise<ServiceProcess> => {
    const metricsAddress = `127.0.0.1:${await freePort()}`;
    const script = path.join(__dirname, `../../services/${service}/dist/main.js`);
    const settings = { ...common, METRICS_LISTEN: metricsAddress, ...environment };
    return { ...(await startChild(script, [], settings, nodeOptions)), metricsAddress };
  };
  const realm = await start('realm');
  const ofRealm = { REALM_ADDRESS: realm.address };
  const [messages, invites] = (await Promise.all(['messages', 'invites'].map((name) => start(name, ofRealm)))) as [
    ServiceProcess,
    ServiceProcess,
  ];
  const events = await start('events', { ...ofRealm, MESSAGES_ADDRESS: messages.address });
  const scheduler = await start('scheduler', {
    ...ofRealm,
    MESSAGES_ADDRESS: messages.address,
    INVITES_ADDRESS: invites.address,
  });
  const addresses = {
    ...ofRealm,
    MESSAGES_ADDRESS: messages.address,
    INVITES_ADDRESS: invites.address,
    SCHEDULER_ADDRESS: scheduler.address,
    EVENTS_ADDRESS: events.address,
  };
  const gateway = await start('gateway', { ...addresses, PORT: '0', BIND: '127.0.0.1' });
  return { realm, invites, scheduler, messages, events, gateway };
}

/** An `Authorization` header. */
export function basic(email: string, apiKey: string): string {
  return `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`;
}
