import type { TestDatabase } from '@parley/shared/testing';
import fc from 'fast-check';
import { openTestDatabase } from './open-test-database';
import { type Happening, histories, KINDS } from './read-state/history';
import { Stage } from './read-state/stage';

/** Others in each run, about 4,000 acts; `npm run test:release` replays 20,000 histories. */
const HISTORIES = Number(process.env.READ_STATE_HISTORIES ?? 250);
/**
 * Number of histories replayed at a time, each in a separate organization: while one waits for the database, the others continue.
 */
const LANES = 4;

let database: TestDatabase;
let lastRealmId = 0;

beforeAll(async () => {
  database = await openTestDatabase(2 * LANES);
});

afterAll(() => database.close());

/** Compared at the end only: random histories end at any point, so all states are compared. */
async function replay(history: readonly Happening[]): Promise<void> {
  lastRealmId += 1;
  const stage = new Stage(database.db, lastRealmId);
  for (const happening of history) await stage.play(happening);
  await stage.compare();
}

const toFirstTopic: Extract<Happening, { kind: 'send' }> = {
  kind: 'send',
  sender: 1,
  channel: 0,
  topic: 0,
  isReadBySender: false,
  mentions: [],
  isWildcard: false,
};
const inFirstChannel = { user: 0, channel: 0 };
const ofFirstMessage: Omit<Extract<Happening, { kind: 'flag' }>, 'op'> = {
  kind: 'flag',
  user: 0,
  messages: [0],
  flag: 'read',
};

// Cases that are rare in random histories.
test.each<[string, Happening[]]>([
  [
    'who comes back to a channel finds nothing there that they marked as unread before they left',
    [
      toFirstTopic,
      { ...ofFirstMessage, op: 'add' },
      { ...ofFirstMessage, op: 'remove' },
      { kind: 'unsubscribe', ...inFirstChannel },
      { kind: 'subscribe', ...inFirstChannel },
      toFirstTopic,
    ],
  ],
  [
    'who leaves a channel has read what they marked as unread there, also where that is moved to',
    [
      toFirstTopic,
      { kind: 'move', messages: [0], channel: 1, topic: 0 },
      { kind: 'markChannel', user: 0, channel: 1 },
      { kind: 'flag', user: 0, messages: [0], op: 'remove', flag: 'read' },
      { kind: 'unsubscribe', user: 0, channel: 1 },
      { kind: 'moveTopic', from: 0, channel: 0, topic: 0 },
      toFirstTopic,
    ],
  ],
  [
    'a message in a channel that was archived and restored can be marked as unread',
    [
      toFirstTopic,
      { kind: 'archive', channel: 0 },
      { kind: 'restore', channel: 0 },
      { ...ofFirstMessage, op: 'remove' },
      toFirstTopic,
    ],
  ],
  [
    'what somebody sent while they were muted stays read when they are no more',
    [
      toFirstTopic,
      { kind: 'mute', user: 0, other: 1 },
      toFirstTopic,
      { kind: 'unmute', user: 0, other: 1 },
      toFirstTopic,
    ],
  ],
  [
    'what moves to a channel that was read up to later messages stays unread',
    [
      { ...toFirstTopic, topic: 1 },
      { ...toFirstTopic, channel: 1 },
      { kind: 'markChannel', user: 0, channel: 1 },
      { kind: 'move', messages: [0], channel: 1, topic: 0 },
    ],
  ],
  [
    'what moves out of a channel that was read stays read, there and back',
    [
      toFirstTopic,
      { kind: 'markChannel', ...inFirstChannel },
      { kind: 'move', messages: [0], channel: 1, topic: 2 },
      { kind: 'move', messages: [0], channel: 0, topic: 0 },
      toFirstTopic,
    ],
  ],
  [
    'what was read with an archived channel can be marked as unread once that is restored',
    [
      toFirstTopic,
      { kind: 'archive', channel: 0 },
      { kind: 'restore', channel: 0 },
      { ...ofFirstMessage, op: 'remove' },
    ],
  ],
  [
    'marking everything as read reaches what was moved behind a watermark, and what was marked as unread',
    [
      toFirstTopic,
      { ...toFirstTopic, channel: 1 },
      { kind: 'markChannel', user: 0, channel: 1 },
      { kind: 'flag', user: 0, messages: [1], flag: 'read', op: 'remove' },
      { kind: 'move', messages: [0], channel: 1, topic: 0 },
      { kind: 'markAll', user: 0 },
      { ...ofFirstMessage, op: 'remove' },
    ],
  ],
])('%s', (_, history) => replay(history));

test(
  'whatever happens, everybody’s read state is that of a model with one row for each message and user',
  async () => {
    const played = new Set<Happening['kind']>();
    const replayNoted = async (history: readonly Happening[]) => {
      for (const { kind } of history) played.add(kind);
      await replay(history);
    };
    const check = () => fc.assert(fc.asyncProperty(histories, replayNoted), { numRuns: Math.ceil(HISTORIES / LANES) });
    await Promise.all(Array.from({ length: LANES }, check));
    expect(KINDS.filter((kind) => !played.has(kind))).toEqual([]);
  },
  Math.max(120_000, HISTORIES * 1_000),
);
