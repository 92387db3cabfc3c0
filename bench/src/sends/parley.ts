import { connectRpc, newCall } from '@parley/shared/rpc';
import { basic, createChannel, createOrganization, fillOrganization, listMembers } from '../base/organization';
import type { Servers } from '../base/servers';
import { startServices, stopServices } from '../base/services';

const SIZE = { users: 14_000, channels: 1 };

/** The six services as processes, and an organization of many users. */
export interface Parley {
  baseUrl: string;
  /** `Authorization` headers. */
  sender: string;
  receiver: string;
  /** Creates a public channel with this many subscribers, including the sender. Resolves with its name. */
  createChannel(subscriberCount: number): Promise<string>;
  stop(): Promise<void>;
}

export async function startParley(servers: Pick<Servers, 'databaseUrl' | 'natsUrl'>): Promise<Parley> {
  const services = await startServices(servers);
  const realm = connectRpc('realm', services.realm.address);
  const owner = await createOrganization(realm.client);
  const receiver = await realm.client.createUser(newCall(), {
    ...{ subdomain: '', email: 'receiver@bench.example', fullName: 'The Receiver' },
    ...{ role: 400, mayCreateUsers: false },
  });
  await fillOrganization(realm.client, SIZE);
  const members = await listMembers(realm.client, owner);
  const allIds = [...new Set([owner.userId, receiver.userId, ...members.map(({ id }) => id)])];
  return {
    baseUrl: `http://${services.gateway.address}`,
    sender: basic(owner.email, owner.apiKey),
    receiver: basic(receiver.email, receiver.apiKey),
    async createChannel(subscriberCount) {
      if (allIds.length < subscriberCount) throw new Error(`there are only ${allIds.length} people to subscribe`);
      const name = `bench ${subscriberCount}`;
      await createChannel(realm.client, owner, { name, userIds: allIds.slice(0, subscriberCount) });
      return name;
    },
    async stop() {
      realm.close();
      await stopServices(services);
    },
  };
}
