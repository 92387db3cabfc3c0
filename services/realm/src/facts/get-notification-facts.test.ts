import type { MessageToNotify } from '@parley/shared/proto';
import { NOTIFICATION_FACTS, type NotificationFact, notificationFactsOf } from '@parley/shared/values';
import { contextOfTests } from '../../test/each-test';
import { channelIds, join, leave, newOrganization, newUser, type Person } from '../../test/examples';
import { addAlertWords, removeAlertWords } from '../personal/alert-words';
import { insertAlertWords } from '../personal/alert-words.sql';
import { muteUser } from '../personal/muted-users';
import { updateUserSettings } from '../users/update-user-settings';
import { getNotificationFacts } from './get-notification-facts';

const ctx = contextOfTests();

const DEFAULTS: NotificationFact[] = [
  'enable_offline_email_notifications',
  'enable_offline_push_notifications',
  'enable_online_push_notifications',
  'enable_followed_topic_email_notifications',
  'enable_followed_topic_push_notifications',
  'wildcard_mentions_notify',
  'enable_followed_topic_wildcard_mentions_notify',
];

/** An organization with a channel that two others are in, and a way to ask about a message there. */
async function newWorld() {
  const olivia = await newOrganization(ctx);
  const [ann, bob, zoe] = [await newUser(ctx, olivia), await newUser(ctx, olivia), await newUser(ctx, olivia)];
  await join(ctx, olivia, ['team'], { principalIds: [olivia, ann, bob].map(({ userId }) => userId) });
  const { team: channelId = 0 } = await channelIds(ctx, olivia);
  const [channel] = await ctx.db.query<{ version: number }>(
    'select subscription_version as version from channel where realm_id = $1 and id = $2',
    [olivia.realmId, channelId],
  );
  const message: MessageToNotify = {
    ...{ realmId: olivia.realmId, senderId: olivia.userId, channelId, version: channel?.version as number },
    ...{ mentionsAll: false, namedIds: [] },
  };
  const setChannel = (person: Person, column: string, value: boolean) =>
    ctx.db.query(`update subscription set ${column} = $4 where realm_id = $1 and channel_id = $2 and user_id = $3`, [
      ...[olivia.realmId, channelId, person.userId, value],
    ]);
  return { olivia, ann, bob, zoe, message, setChannel };
}

async function ask(...messages: MessageToNotify[]) {
  const { people } = await getNotificationFacts(ctx, { messages, alertWords: [] });
  return people.map(({ userIds, facts, batchingSecs }) =>
    userIds.map((userId, index) => {
      const bits = notificationFactsOf(facts[index] as number);
      return { userId, facts: NOTIFICATION_FACTS.filter((name) => bits[name]), batchingSecs: batchingSecs[index] };
    }),
  );
}

const idsOf = (people: { userId: number }[] = []) => people.map(({ userId }) => userId);
const set = (person: Person, name: string, value: boolean | number) =>
  updateUserSettings(ctx, person, {
    settings: [{ name, ...(typeof value === 'boolean' ? { boolean: value } : { integer: value }) }],
  });

test('subscribers who want nothing are not answered; named ones are, without the sender and those who did not receive it', async () => {
  const { olivia, ann, zoe, message } = await newWorld();
  const named = { ...message, namedIds: [olivia, ann, zoe].map(({ userId }) => userId) };
  const before = ctx.db.statementCount;
  const [nobody, few] = await ask(message, named);
  expect(ctx.db.statementCount - before).toBe(1);
  expect(nobody).toEqual([]);
  expect(few).toEqual([{ userId: ann.userId, facts: DEFAULTS, batchingSecs: 0 }]);
});

test('only people who received a message, are active, and no bots', async () => {
  const { olivia, ann, bob, message } = await newWorld();
  const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
  await join(ctx, olivia, ['team'], { principalIds: [bot.userId] });
  const named = { ...message, version: message.version + 1, namedIds: [ann, bob, bot].map(({ userId }) => userId) };
  await leave(ctx, ann, ['team']);
  expect(idsOf((await ask(named))[0])).toEqual([ann.userId, bob.userId]);
  expect(idsOf((await ask({ ...named, version: message.version + 2 }))[0])).toEqual([bob.userId]);
  await ctx.db.query('update user_account set is_active = false where realm_id = $1 and id = $2', [
    olivia.realmId,
    bob.userId,
  ]);
  expect(idsOf((await ask(named))[0])).toEqual([ann.userId]);
});

test('direct messages have no channel', async () => {
  const { olivia, ann, zoe } = await newWorld();
  const namedIds = [olivia, ann, zoe, { userId: -1 }].map(({ userId }) => userId);
  const direct = { realmId: olivia.realmId, senderId: olivia.userId, version: 0, mentionsAll: false, namedIds };
  expect(idsOf((await ask(direct))[0])).toEqual([ann.userId, zoe.userId]);
});

test.each(['email_notifications', 'push_notifications'])('%s of a channel', async (column) => {
  const { ann, bob, message, setChannel } = await newWorld();
  await setChannel(ann, column, true);
  await setChannel(bob, column, false);
  const [[{ userId, facts } = { userId: 0, facts: [] }, ...others] = []] = await ask(message);
  const [has, wants] = column === 'email_notifications' ? ['Mails', 'Mails'] : ['Pushes', 'Pushes'];
  expect([userId, others]).toEqual([ann.userId, []]);
  expect(facts).toEqual(expect.arrayContaining([`hasChannel${has}`, `wantsChannel${wants}`]));
});

test.each(['enable_stream_email_notifications', 'enable_stream_push_notifications'] as const)('%s', async (name) => {
  const { ann, zoe, message } = await newWorld();
  for (const person of [ann, zoe]) await set(person, name, true);
  const [people] = await ask(message);
  expect(people).toMatchObject([{ userId: ann.userId, facts: expect.arrayContaining([name]) }]);
});

test('a wildcard is for subscribers who want it, by their own setting or that for the channel', async () => {
  const { olivia, ann, bob, message, setChannel } = await newWorld();
  const everybody = { ...message, mentionsAll: true };
  expect(idsOf((await ask(everybody))[0])).toEqual([ann.userId, bob.userId]);
  await set(ann, 'wildcard_mentions_notify', false);
  await setChannel(bob, 'wildcard_mentions_notify', false);
  expect((await ask(everybody))[0]).toEqual([]);
  await setChannel(ann, 'wildcard_mentions_notify', true);
  expect(idsOf((await ask({ ...everybody, senderId: bob.userId }))[0])).toEqual([olivia.userId, ann.userId]);
});

test('mutes, presence and the batching period', async () => {
  const { olivia, ann, bob, message, setChannel } = await newWorld();
  await muteUser(ctx, ann, { userId: olivia.userId });
  await setChannel(ann, 'is_muted', true);
  await set(ann, 'email_notifications_batching_period_seconds', 300);
  const present = (person: Person, agoMs: number) =>
    ctx.db.query(
      `insert into user_presence (realm_id, user_id, active_at, connected_at, update_id)
       values ($1, $2, to_timestamp($3 / 1000.0), to_timestamp($3 / 1000.0), 1)`,
      [olivia.realmId, person.userId, ctx.clock.now() - agoMs],
    );
  await present(ann, 100_000);
  await present(bob, 300_000);
  const [[first, second] = []] = await ask({ ...message, namedIds: [ann.userId, bob.userId] });
  expect(first?.batchingSecs).toBe(300);
  expect(first?.facts.slice(0, 3)).toEqual(['isActiveNow', 'isSenderMuted', 'isChannelMuted']);
  expect(second?.facts).toEqual(DEFAULTS);
});

test('alert words are answered to who knows others', async () => {
  const { olivia, ann } = await newWorld();
  const { realmId } = olivia;
  const known = async (version: string) =>
    (await getNotificationFacts(ctx, { messages: [], alertWords: [{ realmId, version }] })).alertWords;
  const [first] = await known('');
  expect(first?.words).toEqual([]);
  expect(await known(first?.version as string)).toEqual([]);
  await addAlertWords(ctx, ann, { words: ['lunch'] });
  const [second] = await known(first?.version as string);
  expect(second?.words).toEqual([{ userId: ann.userId, word: 'lunch', addedAtMs: ctx.clock.now() }]);
  await removeAlertWords(ctx, ann, { words: ['lunch'] });
  expect(await known(second?.version as string)).toMatchObject([{ words: [] }]);
});

describe('who takes changes of alert words', () => {
  const known = async (realmId: number, version: string, takesChanges = true) => {
    const [words] = (
      await getNotificationFacts(ctx, { messages: [], alertWords: [{ realmId, version, takesChanges }] })
    ).alertWords;
    return words ?? null;
  };

  test('is answered all of them once, and then those of the people who have others', async () => {
    const { olivia, ann, bob } = await newWorld();
    const { realmId } = olivia;
    await addAlertWords(ctx, ann, { words: ['lunch'] });
    await addAlertWords(ctx, bob, { words: ['tea', 'lunch'] });
    const first = await known(realmId, '');
    expect(first).toMatchObject({ isChange: false, changedUserIds: [] });
    expect(first?.words).toHaveLength(3);
    const version = first?.version as string;
    expect(await known(realmId, version)).toBeNull();
    await removeAlertWords(ctx, bob, { words: ['tea'] });
    const change = await known(realmId, version);
    const lunch = { userId: bob.userId, word: 'lunch', addedAtMs: ctx.clock.now() };
    expect(change).toMatchObject({ isChange: true, changedUserIds: [bob.userId], words: [lunch] });
    await removeAlertWords(ctx, ann, { words: ['lunch'] });
    const second = { isChange: true, changedUserIds: [ann.userId], words: [] };
    expect(await known(realmId, change?.version as string)).toMatchObject(second);
    const both = { isChange: true, changedUserIds: [ann.userId, bob.userId].sort((a, b) => a - b), words: [lunch] };
    expect(await known(realmId, version)).toMatchObject(both);
    expect(await known(realmId, version, false)).toMatchObject({ isChange: false, words: [lunch] });
  });

  test('gets a change that had begun before their version and ended after it', async () => {
    const { olivia, ann, bob } = await newWorld();
    const { realmId } = olivia;
    let version = '';
    await ctx.db.transaction(async (tx) => {
      const word = { word: 'tea', wordKey: 'tea' };
      await insertAlertWords(tx, { realmId, userId: ann.userId, words: [word], addedAtMs: ctx.clock.now() });
      await addAlertWords(ctx, bob, { words: ['lunch'] });
      version = (await known(realmId, ''))?.version as string;
    });
    const tea = { userId: ann.userId, word: 'tea', addedAtMs: ctx.clock.now() };
    expect(await known(realmId, version)).toMatchObject({ isChange: true, changedUserIds: [ann.userId], words: [tea] });
  });

  test('gets all of them with a version of another database', async () => {
    const { olivia, ann } = await newWorld();
    await addAlertWords(ctx, ann, { words: ['lunch'] });
    expect(await known(olivia.realmId, '0/999999999:999999999:')).toMatchObject({ isChange: false });
    expect(await known(olivia.realmId, '0')).toMatchObject({ isChange: false });
  });
});

test('refuses to answer for too many at once', async () => {
  const { message } = await newWorld();
  const messages = Array.from({ length: 1_001 }, () => message);
  await expect(ask(...messages)).rejects.toThrow('Too many messages in one call (limit: 1000)');
});
