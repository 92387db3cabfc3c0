import { causeOf, mutedTopicsChanged } from '@parley/shared/events';
import type { EditMessageRequest, Message, User } from '@parley/shared/proto';
import { createFakeClock, type FakeClock } from '@parley/shared/testing';
import type { PeerChannel } from './realm-peer';
import { callerOf, getRequest, type MessagesUnderTest, type Replica, startMessages, toChannel } from './start-messages';

/** Ann and Bob are members, Mod a moderator, Ada an administrator, Gus a guest; all are in Lobby and in Public, not in Secret. */
export interface EditWorld {
  clock: FakeClock;
  network: MessagesUnderTest;
  ann: User;
  bob: User;
  mod: User;
  ada: User;
  gus: User;
  lobby: PeerChannel;
  other: PeerChannel;
  secret: PeerChannel;
  send(from: User, channel: PeerChannel, topic: string, content?: string): Promise<number>;
  edit(who: User, messageId: number, change: Partial<EditMessageRequest>, at?: Replica): Promise<unknown>;
  read(who: User, messageId: number): Promise<Message>;
  inTopic(who: User, channel: PeerChannel, topic: string): Promise<Message[]>;
  /** Events of the requests since the last call, oldest first, without what the service announces later because of such events. */
  events(): Promise<{ kind: string; payload: Record<string, unknown> }[]>;
}

/** Announced by the service when it hears of its own events, without naming their cause. */
const LATER_KINDS: string[] = [mutedTopicsChanged.kind];

export async function createEditWorld(): Promise<EditWorld> {
  const clock = createFakeClock();
  const network = await startMessages({ clock });
  const { realm, client } = network;
  const [ann, bob] = [realm.addUser('Ann'), realm.addUser('Bob')];
  const [mod, ada] = [realm.addUser('Mod', { role: 300 }), realm.addUser('Ada', { role: 200 })];
  const gus = realm.addUser('Gus', { role: 600 });
  realm.addUser('Notification Bot', { isBot: true, isSystemBot: true });
  const [lobby, other] = [realm.addChannel('Lobby'), realm.addChannel('Public')];
  const secret = realm.addChannel('Secret', { isPrivate: true, isHistoryPublic: false });
  realm.subscribe(lobby, ann, bob, mod, ada, gus);
  realm.subscribe(other, ann, bob, mod, ada);
  realm.subscribe(secret, ann, mod);
  let lastEventId = 0;
  return {
    clock,
    network,
    ...{ ann, bob, mod, ada, gus, lobby, other, secret },
    async send(from, channel, topic, content = 'hi') {
      return (await client.sendMessage(callerOf(from), toChannel(channel.id, topic, content))).messageId;
    },
    edit: (who, messageId, change, at = network as unknown as Replica) =>
      at.client.editMessage(callerOf(who), editRequest(messageId, change)),
    read: (who, messageId) => client.getMessage(callerOf(who), { messageId }),
    async inTopic(who, channel, topic) {
      const operand = { isNegated: false, ids: [], isList: false };
      const narrow = [
        { ...operand, operator: 'channel', id: channel.id },
        { ...operand, operator: 'topic', text: topic },
      ];
      return (await client.getMessages(callerOf(who), getRequest({ narrow }))).messages;
    },
    async events() {
      const rows = await network.service.db.query<{ id: number; kind: string; payload: string }>(
        'select id, kind, payload from outbox where id > $1 order by id',
        [lastEventId],
      );
      lastEventId = rows.at(-1)?.id ?? lastEventId;
      return rows
        .map(({ kind, payload }) => ({ kind, payload: JSON.parse(payload) }))
        .filter(({ kind, payload }) => !LATER_KINDS.includes(kind) && causeOf(payload) === undefined);
    },
  };
}

export function editRequest(messageId: number, change: Partial<EditMessageRequest>): EditMessageRequest {
  return { messageId, propagateMode: 'change_one', tellsOldTopic: false, tellsNewTopic: false, ...change };
}
