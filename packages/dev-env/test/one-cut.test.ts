import {
  addReaction,
  createChannel,
  createDrafts,
  createGroup,
  createSavedSnippet,
  createScheduledMessage,
  deleteMessage,
  deleteQueue,
  editMessage,
  removeReaction,
  sendMessage,
  subscribe,
  unsubscribe,
  updateFlags,
  updateOwnStatus,
  updatePresence,
  updateRealm,
  updateUserSettings,
  updateUserTopic,
} from '@parley/gateway/endpoints';
import { type EventQueue, type TestClient, TestNetwork } from '../src';
import { openEventQueue } from '../src/network/event-queue';
import { replay } from '../src/replay/client-model';
import { normalise } from '../src/replay/normalise';
import type { State } from '../src/replay/state';

/** What POST /register answers, and what its queue tells, are one cut of history, whatever happens at the same time. */

const ROUNDS = Number(process.env['CUT_ROUNDS'] ?? 3);
const QUEUES_A_ROUND = 60;
const CHANGES_AT_ONCE = 4;
const LIMIT_MS = 300_000;

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create({ eventsPods: 2, messagesReplicas: 2, replicas: { realm: 2 } });
});
afterAll(() => network.stop());

const CAPABILITIES = {
  ...{ bulk_message_deletion: true, user_settings_object: true, empty_topic_name: true, archived_channels: true },
  ...{ include_deactivated_groups: true, simplified_presence_events: true, notification_settings_null: true },
};
const kind = { capabilities: new Set(Object.keys(CAPABILITIES)) };
const OPTIONS = { include_subscribers: 'true', client_gravatar: true, client_capabilities: CAPABILITIES } as const;

/** Made by a test's own chance, so that a failure can be run again. */
function chanceFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * below);
  };
}

class Traffic {
  #count = 0;
  readonly #messageIds: number[] = [];
  /** Which message is the newest of a conversation when one was deleted, no event tells: those of channels only are deleted. */
  readonly #inChannels: number[] = [];
  readonly #channels = ['general'];
  readonly #channelIds: number[] = [];
  readonly #reactions: [TestClient, number][] = [];
  /** Kinds of changes of which one was made at least. */
  readonly made = new Set<string>();

  constructor(private readonly pick: (below: number) => number) {}

  /** Any change; one that is refused, because another was faster, changes nothing. */
  async change(): Promise<void> {
    const changes = Object.entries(this.changes());
    // By turns, so that every kind has its share; who does it, and to what, is left to chance.
    const [name, change] = changes[this.#count % changes.length] as (typeof changes)[number];
    const isMade = await change().then(
      () => true,
      () => false,
    );
    if (isMade) this.made.add(name);
  }

  changes(): Record<string, () => Promise<unknown>> {
    const { pick } = this;
    const { dan, eve, iris } = network;
    const someone = [dan, eve, iris][pick(3)] as TestClient;
    this.#count += 1;
    const name = `n${this.#count}`;
    const channel = this.#channels[pick(this.#channels.length)] as string;
    const messageId = this.#messageIds[pick(Math.max(1, this.#messageIds.length))] ?? 1;
    const send = async () => {
      const sent = {
        type: 'channel',
        to: channel,
        topic: `t${pick(3)}`,
        content: `@**Eve Castillo** ${name}`,
      } as const;
      const { id } = await someone.call(sendMessage, sent);
      this.#messageIds.push(id);
      this.#inChannels.push(id);
    };
    const direct = async () => {
      const to = [eve.userId, dan.userId];
      this.#messageIds.push((await someone.call(sendMessage, { type: 'direct', to, content: name })).id);
    };
    const create = async () => {
      const subscribers = [dan.userId, eve.userId].slice(0, pick(3));
      const { id } = await iris.call(createChannel, { name, subscribers });
      this.#channels.push(name);
      this.#channelIds.push(id);
    };
    const messages = [messageId];
    return {
      ...{ send, sendToo: send, sendAgain: send, direct, create },
      join: () => someone.call(subscribe, { subscriptions: [{ name: channel }] }),
      leave: () => someone.call(unsubscribe, { subscriptions: [channel] }),
      read: () => someone.call(updateFlags, { messages, op: 'add', flag: 'read' }),
      unread: () => someone.call(updateFlags, { messages, op: 'remove', flag: 'read' }),
      star: () => someone.call(updateFlags, { messages, op: pick(2) ? 'add' : 'remove', flag: 'starred' }),
      edit: () => iris.call(editMessage, { message_id: messageId, topic: `t${pick(3)}` }),
      delete: () =>
        iris.call(deleteMessage, { message_id: this.#inChannels[pick(Math.max(1, this.#inChannels.length))] ?? 1 }),
      react: async () => {
        await someone.call(addReaction, { message_id: messageId, emoji_name: 'tada' });
        this.#reactions.push([someone, messageId]);
      },
      unreact: async () => {
        const [reader, id] = this.#reactions.pop() ?? [someone, messageId];
        await reader.call(removeReaction, { message_id: id, emoji_name: 'tada' });
      },
      follow: () =>
        someone.call(updateUserTopic, {
          stream_id: this.#channelIds[pick(Math.max(1, this.#channelIds.length))] ?? 0,
          topic: 't1',
          visibility_policy: pick(4),
        }),
      draft: () =>
        someone.call(createDrafts, {
          drafts: [{ type: '', to: [], topic: '', content: name, timestamp: this.#count }],
        }),
      snippet: () => someone.call(createSavedSnippet, { title: name, content: name }),
      schedule: () =>
        someone.call(createScheduledMessage, {
          ...{ type: 'direct', to: [dan.userId], content: name },
          scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 100_000,
        }),
      group: () => iris.call(createGroup, { name, description: '', members: [someone.userId] }),
      status: () => someone.call(updateOwnStatus, { status_text: name }),
      present: () => someone.call(updatePresence, { status: 'active' }),
      setting: () => someone.call(updateUserSettings, { web_font_size_px: 12 + pick(8) }),
      rename: () => iris.call(updateRealm, { description: name }),
    };
  }
}

/** Without messages, which clients fetch on their own, and of presences only whose they are: not every report is told. */
function comparable(state: State): State {
  const { messages: _, presences, ...others } = normalise(state, kind);
  return { ...others, present: Object.keys(presences as object) };
}

/** All that happens meanwhile has ended when this returns or throws. */
async function whileChanging<Result>(traffic: Traffic, work: () => Promise<Result>): Promise<Result> {
  let isOver = false;
  const changing = Array.from({ length: CHANGES_AT_ONCE }, async () => {
    while (!isOver) await traffic.change();
  });
  try {
    return await work();
  } finally {
    isOver = true;
    await Promise.all(changing);
  }
}

async function registerMany(people: readonly TestClient[]): Promise<[TestClient, EventQueue][]> {
  const registering = people.map(async (person) => {
    const own: [TestClient, EventQueue][] = [];
    while (own.length < QUEUES_A_ROUND / people.length) own.push([person, await openEventQueue(person, OPTIONS)]);
    return own;
  });
  return (await Promise.all(registering)).flat();
}

test(
  'its events tell what the state does not hold, nothing twice and nothing missing',
  async () => {
    const seed = Number(process.env['CUT_SEED'] ?? Date.now() % 100_000);
    const traffic = new Traffic(chanceFrom(seed));
    const people = [network.dan, network.eve, network.iris, network.faye];
    for (let round = 0; round < ROUNDS; round += 1) {
      const queues = await whileChanging(traffic, () => registerMany(people));
      await network.settle();
      const fresh = new Map<TestClient, State>();
      for (const person of people) fresh.set(person, comparable((await openEventQueue(person, OPTIONS)).state));
      for (const [person, queue] of queues) {
        const events = await queue.rest();
        const context = { seed, round, person: person.email };
        const replayed = comparable(replay(queue.state, events, kind));
        expect({ ...context, ...replayed }).toEqual({ ...context, ...fresh.get(person) });
        await person.call(deleteQueue, { queue_id: queue.queueId });
      }
    }
    expect(Object.keys(traffic.changes()).filter((name) => !traffic.made.has(name))).toEqual([]);
  },
  LIMIT_MS,
);

test('what was done just before is not told, whatever is fetched', async () => {
  const { dan, eve } = network;
  for (const fetch_event_types of [undefined, [], ['realm_user']]) {
    await dan.call(sendMessage, { type: 'direct', to: [eve.userId], content: 'before' });
    await dan.call(updateOwnStatus, { status_text: `before ${fetch_event_types}` });
    const queue = await openEventQueue(eve, fetch_event_types ? { fetch_event_types } : {});
    await network.settle();
    const heard = (await queue.rest()).filter(({ type }) => type === 'message' || type === 'user_status');
    expect(heard).toEqual([]);
  }
});
