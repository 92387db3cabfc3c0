import { connectBus } from '@parley/shared/bus';
import type { GetMessagesRequest, Message, SendMessageRequest, User } from '@parley/shared/proto';
import { type Caller, connectRpc, newCall, type RpcClient } from '@parley/shared/rpc';
import { type DatabaseService, type Overrides, silentLogger } from '@parley/shared/service';
import { cloneDatabases, dropDatabases, testPrefix, testServers } from '@parley/shared/testing';
import { loadConfig } from '../src/config';
import { create, MIGRATIONS } from '../src/service';
import { type RealmPeer, startRealmPeer } from './realm-peer';

export interface MessagesUnderTest {
  realm: RealmPeer;
  prefix: string;
  service: DatabaseService;
  client: RpcClient<'messages'>;
  /** Another replica on the same database. */
  startReplica(overrides?: Overrides): Promise<Replica>;
  stop(): Promise<void>;
}

export interface Replica {
  service: DatabaseService;
  client: RpcClient<'messages'>;
  stop(): Promise<void>;
}

/** The service on its own database and broker names, with a realm peer without users and channels. */
export async function startMessages(overrides: Overrides = {}): Promise<MessagesUnderTest> {
  const prefix = testPrefix();
  await cloneDatabases(prefix, [{ service: 'messages', directory: MIGRATIONS }]);
  const realm = await startRealmPeer();
  const replicas: Replica[] = [];
  const startReplica = async (replicaOverrides: Overrides = overrides) => {
    const replica = await newReplica(prefix, realm.address, replicaOverrides);
    replicas.push(replica);
    return replica;
  };
  const { service, client } = await startReplica();
  return {
    realm,
    prefix,
    service,
    client,
    startReplica,
    async stop() {
      for (const replica of replicas) await replica.stop();
      await realm.stop(100);
      await dropDatabases(prefix, ['messages']);
      await deleteStream(prefix);
    },
  };
}

/** The log reserves its full size at the broker, which all test files share. */
async function deleteStream(prefix: string): Promise<void> {
  const bus = await connectBus({ url: testServers().natsUrl, prefix, name: 'test', log: silentLogger });
  await bus.jsm.streams.delete(bus.stream);
  await bus.close();
}

async function newReplica(prefix: string, realmAddress: string, overrides: Overrides): Promise<Replica> {
  const { databaseUrl, natsUrl } = testServers();
  const config = loadConfig({
    DATABASE_URL: databaseUrl,
    DATABASE_PREFIX: prefix,
    NATS_URL: natsUrl,
    NATS_PREFIX: prefix,
    REALM_ADDRESS: realmAddress,
    // Pages served by tests.
    OUTGOING_ALLOW: '127.0.0.1',
  });
  const service = create(config, { log: silentLogger, ...overrides });
  await service.start();
  const connection = connectRpc('messages', service.address);
  return {
    service,
    client: connection.client,
    async stop() {
      connection.close();
      await service.stop();
    },
  };
}

export function callerOf({ id, realmId }: User): Caller {
  return { ...newCall(), realmId, userId: id };
}

/** A send to a channel; `facts` overrides. */
export function toChannel(channelId: number, topic: string, content: string, facts: Partial<SendMessageRequest> = {}) {
  return sendRequest({ channelId, topic, content, ...facts });
}

/** A direct message. */
export function toUsers(recipients: readonly User[], content: string, facts: Partial<SendMessageRequest> = {}) {
  return sendRequest({ isDirect: true, recipientIds: recipients.map(({ id }) => id), content, ...facts });
}

function sendRequest(facts: Partial<SendMessageRequest>): SendMessageRequest {
  return {
    recipientIds: [],
    recipientEmails: [],
    isDirect: false,
    content: '',
    isReadBySender: false,
    clientName: 'test',
    ...facts,
  };
}

/** The newest hundred messages; `facts` overrides. */
export function getRequest(facts: Partial<GetMessagesRequest> = {}): GetMessagesRequest {
  const anchor = 'anchor' in facts || 'messageIds' in facts ? {} : { anchorKind: 'newest' };
  return { ...anchor, numBefore: 100, numAfter: 0, includeAnchor: true, narrow: [], messageIds: [], ...facts };
}

export const idsOf = ({ messages }: { messages: Message[] }) => messages.map(({ id }) => id);

export { term } from './terms';
