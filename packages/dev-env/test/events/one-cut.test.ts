import { isDeepStrictEqual } from 'node:util';
import type { State } from '@parley/client-model/state';
import { deleteQueue, sendMessage, updateOwnStatus } from '@parley/gateway/endpoints';
import { type EventQueue, type TestClient, TestNetwork } from '../../src';
import { openEventQueue } from '../../src/network/event-queue';
import { normalise } from '../replay/normalise';
import { replay } from '../replay/replay';
import { chanceFrom, Traffic } from './one-cut/traffic';

/** The answer of POST /register and the events of its queue are one cut of history, whatever happens at the same time. */

/** Nearly 200 registrations; `npm run test:release` makes ten times as many. */
const ROUNDS = Number(process.env['CUT_ROUNDS'] ?? 2);
const QUEUES_A_ROUND = 96;
/** By each of the people. */
const REGISTERED_AT_ONCE = 2;
const CHECKED_AT_ONCE = 4;
const CHANGES_AT_ONCE = 6;
const LIMIT_MS = 60_000 + 3 * ROUNDS * 60_000;

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

/**
 * Without messages, which clients fetch on their own; presences by user only: not every report is sent. The text of a reminder depends on
 * access to the message at the moment: no event reports its change.
 */
function comparable(state: State): State {
  const { messages: _, presences, reminders, ...others } = normalise(state, kind);
  const reminded = (reminders as Record<string, unknown>[]).map(({ content: __, rendered_content, ...rest }) => rest);
  return { ...others, reminders: reminded, present: Object.keys(presences as object) };
}

/** All that happens meanwhile has ended when this returns or throws. `work` is given what resolves when one more change was made. */
async function whileChanging<Result>(
  traffic: Traffic,
  work: (oneMore: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  let isOver = false;
  const waiting: (() => void)[] = [];
  const changing = Array.from({ length: CHANGES_AT_ONCE }, async () => {
    while (!isOver) if (await traffic.change()) waiting.shift()?.();
  });
  const oneMore = () => new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work(oneMore);
  } finally {
    isOver = true;
    await Promise.all(changing);
  }
}

interface Registered {
  person: TestClient;
  queue: EventQueue;
}

/** At the pace of the changes, one for each: the machine's speed does not decide how many changes there are. */
async function registerMany(people: readonly TestClient[], oneMore: () => Promise<void>): Promise<Registered[]> {
  const registered: Registered[] = [];
  const clients = people.flatMap((person) => Array.from({ length: REGISTERED_AT_ONCE }, () => person));
  const register = async (person: TestClient) => {
    for (let count = QUEUES_A_ROUND / clients.length; count > 0; count -= 1) {
      await oneMore();
      registered.push({ person, queue: await openEventQueue(person, OPTIONS) });
    }
  };
  await Promise.all(clients.map(register));
  return registered;
}

/** The comparable part of the client's state. */
async function follow({ person, queue }: Registered): Promise<State> {
  const events = await queue.rest();
  await person.call(deleteQueue, { queue_id: queue.queueId });
  return comparable(replay(queue.state, events, kind));
}

test(
  'its events tell what the state does not hold, nothing twice and nothing missing',
  async () => {
    const seed = Number(process.env['CUT_SEED'] ?? Date.now() % 100_000);
    const traffic = new Traffic(network, chanceFrom(seed));
    const people = [network.dan, network.eve, network.iris, network.faye];
    // Of some kinds a round makes none: many changes are refused.
    const isEnough = (rounds: number) => rounds >= ROUNDS && (traffic.missing.length === 0 || rounds >= 3 * ROUNDS);
    for (let round = 0; !isEnough(round); round += 1) {
      const queues = await whileChanging(traffic, (oneMore) => registerMany(people, oneMore));
      await network.settle();
      const fresh = new Map<TestClient, State>();
      for (const person of people) fresh.set(person, comparable((await openEventQueue(person, OPTIONS)).state));
      const check = async () => {
        for (let each = queues.pop(); each; each = queues.pop()) {
          const state = await follow(each).catch((error: Error) => {
            throw new Error(`CUT_SEED=${seed}, round ${round}: ${error.message}`, { cause: error });
          });
          const expected = fresh.get(each.person) as State;
          if (!isDeepStrictEqual(state, expected))
            expect({ seed, round, ...state }).toEqual({ seed, round, ...expected });
        }
      };
      await Promise.all(Array.from({ length: CHECKED_AT_ONCE }, check));
    }
    expect({ seed, missing: traffic.missing }).toEqual({ seed, missing: [] });
  },
  LIMIT_MS,
);

test('changes before registering cause no events, for every fetched state', async () => {
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
