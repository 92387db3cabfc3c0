import type { Database } from '@parley/shared/db';
import { ServiceUnavailableError } from '@parley/shared/errors';
import { type MentionsChanged, type MessageSent, mentionsChanged } from '@parley/shared/events';
import type { AlertWordsOfRealm, GetNotificationFactsRequest, OwnedAlertWord } from '@parley/shared/proto';
import { createFakeClock, type TestDatabase } from '@parley/shared/testing';
import { NOTIFICATION_FACTS } from '@parley/shared/values';
import { openTestDatabase } from '../../test/open-test-database';
import type { Context } from '../context';
import type { SentEvent } from './gather-facts';
import { NEWS_HOURS, notifier } from './notify-people';

const clock = createFakeClock();
let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await openTestDatabase();
  db = database.db;
});
afterEach(() => db.query('truncate missed_message, due_job, handled_event, push, push_device'));
afterAll(() => database.close());

const bitsOf = (...names: (typeof NOTIFICATION_FACTS)[number][]) =>
  names.reduce((bits, name) => bits | (1 << NOTIFICATION_FACTS.indexOf(name)), 0);
const WAYS = bitsOf('enable_offline_email_notifications', 'enable_offline_push_notifications');

/** Fakes of the other services, which answer for whoever is named. */
function world({ alertWords = [] as OwnedAlertWord[], everybody = [] as number[] } = {}) {
  const asked: GetNotificationFactsRequest[] = [];
  const words: Omit<AlertWordsOfRealm, 'realmId'> = { version: '1', words: alertWords, changedUserIds: [] };
  const state = { failing: new Set<number>(), isAway: false, words };
  let topicCalls = 0;
  const services = {
    messages: {
      getPoliciesOfTopics: async (_call: unknown, { topics }: { topics: unknown[] }) => {
        topicCalls += 1;
        return { topics: topics.map(() => ({ userIds: [8], policies: [1] })) };
      },
    },
    realm: {
      getNotificationFacts: async (_call: unknown, request: GetNotificationFactsRequest) => {
        asked.push(request);
        if (state.isAway) throw new ServiceUnavailableError();
        if (request.messages.some(({ senderId }) => state.failing.has(senderId))) throw new Error('broken');
        const people = request.messages.map(({ namedIds, mentionsAll }) => {
          const userIds = [...new Set([...namedIds, ...(mentionsAll ? everybody : [])])];
          return {
            userIds,
            facts: userIds.map(() => WAYS | bitsOf('wildcard_mentions_notify')),
            batchingSecs: userIds.map(() => 60),
          };
        });
        const stale = request.alertWords.filter(({ version }) => version !== state.words.version);
        return { people, alertWords: stale.map(({ realmId }) => ({ realmId, ...state.words })) };
      },
    },
  };
  const woken = { count: 0 };
  const wake = () => {
    woken.count += 1;
  };
  const dueJobs = { missedMails: { wake }, pushes: { wake() {} } };
  const config = { VAPID_PRIVATE_KEY: 'a key' };
  const ctx = { db, clock, config, services, dueJobs } as unknown as Context;
  const [notify, notifyOfEdits] = [notifier(ctx), notifier(ctx, mentionsChanged)];
  return { notify, notifyOfEdits, asked, state, woken, topicCalls: () => topicCalls };
}

let id = 0;
function sent({
  message = {},
  ...changed
}: Partial<Omit<MessageSent, 'message'>> & { message?: object } = {}): SentEvent {
  id += 1;
  const payload = {
    message: {
      id,
      content: 'Hello',
      topic: 'x',
      channelId: 5,
      participants: [],
      sender: { id: 1 },
      sentAtMs: clock.now(),
      ...message,
    },
    ...{ readByIds: [1], mentionedIds: [], mentionsChannel: false, mentionsTopic: false, subscriptionVersion: 3 },
    ...changed,
  };
  return { id: `messages:${id}`, realmId: 1, payload: payload as unknown as MessageSent };
}

const missed = () =>
  db.query<{ user: number; message: number; trigger: string }>(
    'select user_id as user, message_id as message, trigger from missed_message order by 2, 1',
  );
const jobs = () =>
  db.query<{ id: number; due: number }>(`select id, due_at as due from due_job where kind = 'missed-mail' order by 1`);

test('who is mentioned is to get a mail when the batching period is over; a message for nobody leaves no trace', async () => {
  const { notify, woken } = world();
  await notify([sent()]);
  expect(await db.query('select from handled_event')).toEqual([]);
  expect(woken.count).toBe(0);
  await notify([sent({ mentionedIds: [2, 3] })]);
  expect(await missed()).toEqual([2, 3].map((user) => ({ user, message: id, trigger: 'mention' })));
  const due = clock.now() + 60_000;
  expect(await jobs()).toEqual([2, 3].map((user) => ({ id: user, due })));
  clock.advance(30_000);
  await notify([sent({ mentionedIds: [2] })]);
  expect(await jobs()).toEqual([2, 3].map((user) => ({ id: user, due })));
  expect(woken.count).toBe(2);
});

test('devices are notified at once, of those who have any', async () => {
  const { notify } = world();
  await db.query(
    `insert into push_device (realm_id, user_id, kind, token, token_hash, api_key_id, registered_at)
     select 1, 2, kind, 'x', 'x', 1, now() from unnest('{web,fcm}'::text[]) kind`,
  );
  await notify([sent({ mentionedIds: [2, 3] })]);
  const pushes = await db.query(
    'select user_id as user, message_id as message, channel_id as channel, trigger from push',
  );
  // Those of phones are switched off here.
  expect(pushes).toEqual([{ user: 2, message: id, channel: 5, trigger: 'mention' }]);
  expect(await db.query(`select due_at as due from due_job where kind = 'push'`)).toEqual([{ due: clock.now() }]);
});

test('direct messages concern the participants that have not read them', async () => {
  const { notify } = world();
  const participants = [1, 2, 3].map((userId) => ({ id: userId }));
  await notify([sent({ readByIds: [1, 3], message: { channelId: undefined, participants } })]);
  expect(await missed()).toEqual([{ user: 2, message: id, trigger: 'direct-message' }]);
});

test('records that come together cost one call to each service; an event has its effect once', async () => {
  const { notify, asked, topicCalls } = world();
  const records = [1, 2, 3].map(() => [sent({ mentionedIds: [2] }), sent()]);
  await Promise.all(records.map((record) => notify(record)));
  // The first call also fetches the alert words.
  expect([asked.length, topicCalls()]).toEqual([1, 1]);
  expect(await missed()).toHaveLength(3);
  await db.query('truncate missed_message, due_job');
  await Promise.all(records.map((record) => notify(record)));
  expect([await missed(), await jobs()]).toEqual([[], []]);
});

test('mentions of everybody are handled one after the other', async () => {
  const { notify, asked } = world({ everybody: [2, 3] });
  await notify([sent({ mentionsChannel: true }), sent({ mentionsTopic: true }), sent()]);
  expect(asked.map(({ messages }) => messages.length)).toEqual([1, 1, 1]);
  expect((await missed()).map(({ user }) => user)).toEqual([2, 3, 2, 3]);
});

test('a mention of the topic concerns its participants, unless they have muted it', async () => {
  const { notify } = world({ everybody: [2, 3] });
  await notify([sent({ mentionsTopic: true, topicParticipantIds: [3, 8] })]);
  expect(await missed()).toEqual([{ user: 3, message: id, trigger: 'wildcard' }]);
});

test('alert words are fetched when they have changed, and only then', async () => {
  const { notify, asked, state } = world({ alertWords: [{ userId: 2, word: 'lunch', addedAtMs: 0 }] });
  await notify([sent({ message: { content: 'Lunch?' } })]);
  expect(await missed()).toEqual([{ user: 2, message: id, trigger: 'alert-word' }]);
  expect(asked.map(({ messages }) => messages.map(({ namedIds }) => namedIds))).toEqual([[[]], [[2]]]);
  await notify([sent({ message: { content: 'More lunch' } })]);
  expect([asked.length, (await missed()).length]).toEqual([3, 2]);
  state.words = { version: '2', words: [], changedUserIds: [] };
  await notify([sent({ message: { content: 'And lunch' } })]);
  expect([asked.length, (await missed()).length]).toEqual([5, 2]);
});

test('of those who have changed their alert words, theirs alone are replaced', async () => {
  const lunch = (userId: number) => ({ userId, word: 'lunch', addedAtMs: 0 });
  const { notify, asked, state } = world({ alertWords: [lunch(2), lunch(3)] });
  await notify([sent({ message: { content: 'Lunch?' } })]);
  state.words = {
    version: '2',
    words: [{ userId: 2, word: 'tea', addedAtMs: 0 }],
    changedUserIds: [2],
    isChange: true,
  };
  await notify([sent({ message: { content: 'Lunch?' } })]);
  await notify([sent({ message: { content: 'Tea?' } })]);
  expect((await missed()).map(({ user, message }) => [user, message])).toEqual([
    [2, id - 2],
    [3, id - 2],
    [3, id - 1],
    [2, id],
  ]);
  expect(asked.flatMap(({ alertWords }) => alertWords)).toMatchObject(
    ['', '1', '2'].map((version) => ({ version, takesChanges: true })),
  );
});

describe('an edit', () => {
  const edited = (changed: Partial<MentionsChanged>): SentEvent => {
    const { payload, ...event } = sent({ message: { sentAtMs: 0 } });
    return {
      ...event,
      payload: {
        ...(payload as MentionsChanged),
        editedAtMs: clock.now(),
        addedIds: [],
        addsWildcard: false,
        ...changed,
      },
    };
  };

  test('tells those whom it mentions newly, and gives a message that waits to be mailed that reason', async () => {
    const { notify, notifyOfEdits } = world();
    const first = sent({ mentionsTopic: true, topicParticipantIds: [3] });
    await notify([first]);
    const { message } = first.payload as MentionsChanged;
    const edit = edited({ message, mentionedIds: [2, 3], addedIds: [3] });
    await notifyOfEdits([edit]);
    expect(await missed()).toEqual([{ user: 3, message: message.id, trigger: 'mention' }]);
    await db.query('truncate missed_message');
    await notifyOfEdits([edit]);
    expect(await missed()).toEqual([]);
  });

  test('that mentions everybody tells those whom it does not mention by name', async () => {
    const { notifyOfEdits } = world({ everybody: [2, 3] });
    await notifyOfEdits([edited({ mentionsChannel: true, addsWildcard: true, mentionedIds: [2] })]);
    expect(await missed()).toEqual([{ user: 3, message: id, trigger: 'wildcard' }]);
  });

  test('that takes a mention back tells nobody', async () => {
    const { notifyOfEdits } = world({ everybody: [2, 3] });
    await notifyOfEdits([edited({ mentionedIds: [2] })]);
    expect(await missed()).toEqual([]);
  });
});

test('nobody is told of a quiet message', async () => {
  const { notify, asked } = world();
  await notify([sent({ mentionedIds: [2], isQuiet: true })]);
  expect([asked, await missed()]).toEqual([[], []]);
});

test('old messages are no news', async () => {
  const { notify, asked } = world();
  const sentAtMs = clock.now() - NEWS_HOURS * 3_600_000 - 1;
  await notify([sent({ mentionedIds: [2], message: { sentAtMs } })]);
  expect([asked, await missed()]).toEqual([[], []]);
});

test('a record that cannot be handled does not keep others, and an outage keeps all', async () => {
  const { notify, state } = world();
  state.failing.add(66);
  const results = await Promise.allSettled([
    notify([sent({ mentionedIds: [2] })]),
    notify([sent({ mentionedIds: [3], message: { sender: { id: 66 } } })]),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect((await missed()).map(({ user }) => user)).toEqual([2]);
  state.isAway = true;
  await expect(notify([sent({ mentionedIds: [4] })])).rejects.toThrow(ServiceUnavailableError);
});
