import { createHash } from 'node:crypto';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { channelIds, join, newGroup, newOrganization, newUser, type Person } from '../../test/examples';
import { waitingMails } from '../../test/mails';
import { payloadsOf, publicEvents } from '../../test/public-events';
import { meetDirectly, restrictGuests } from '../../test/restrict-guests';
import { getOwnUser } from '../accounts/get-own-user';
import { revokeApiKeys } from '../api-keys/api-keys.sql';
import { authenticate } from '../api-keys/authenticate';
import { deactivateBot } from '../bots/bots';
import { updateBot } from '../bots/update-bot';
import { getSubscribers } from '../joining/subscribe';
import { deactivateOwnUser, deactivateUser } from './deactivate-user';
import { reactivateUser } from './reactivate-user';
import { updateUser } from './update-user';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const dan = memberOfEachTest(ctx, olivia);

const deactivate = (actor: Person, { userId }: Person, notificationComment?: string) =>
  deactivateUser(ctx, actor, { userId, ...(notificationComment !== undefined && { notificationComment }) });
const reactivate = (actor: Person, { userId }: Person) => reactivateUser(ctx, actor, { userId });
const newBot = (owner: Person) => newUser(ctx, olivia, { botType: 1, botOwnerEmail: owner.email });
const isActive = async (person: Person) => (await getOwnUser(ctx, person)).isActive;

async function eventsSince(act: () => Promise<unknown>, type: string) {
  const before = (await publicEvents(ctx, olivia, type)).length;
  await act();
  return (await publicEvents(ctx, olivia, type)).slice(before);
}

async function outcomeOf({ subdomain, email, apiKey }: Person): Promise<string | undefined> {
  const credential = { subdomain, email, apiKeyHash: createHash('sha256').update(apiKey).digest() };
  return (await authenticate(ctx, { credentials: [credential] })).results[0]?.outcome;
}

async function lastingSubscribers(channelName: string): Promise<number[]> {
  const { [channelName]: channelId } = await channelIds(ctx, olivia);
  const { subscribers } = await getSubscribers(ctx, { realmId: olivia.realmId, channelId: channelId as number });
  const isLasting = ({ intervals }: (typeof subscribers)[0]) =>
    intervals.some(({ toVersion }) => toVersion === undefined);
  return subscribers.filter(isLasting).map(({ userId }) => userId);
}

const update = (person: Person, is_active: boolean) => ({
  type: 'realm_user',
  op: 'update',
  person: { user_id: person.userId, is_active },
});

describe('a deactivated person', () => {
  test('is refused with the reason; their keys work again after reactivation', async () => {
    await deactivate(olivia, dan);
    expect(await outcomeOf(dan)).toBe('user_deactivated');
    await reactivate(olivia, dan);
    expect(await outcomeOf(dan)).toBe('ok');
    expect(await payloadsOf(ctx, olivia, 'api-key.revoked')).toEqual([]);
  });

  test('does not get keys back that were revoked before or meanwhile', async () => {
    await deactivate(olivia, dan);
    const holder = { realmId: dan.realmId, userId: dan.userId };
    await ctx.db.transaction((tx) => revokeApiKeys(tx, holder, null, ctx.clock.now()));
    await reactivate(olivia, dan);
    expect(await outcomeOf(dan)).toBe('unknown');
  });

  test('is unsubscribed, which is announced before the deactivation', async () => {
    await join(ctx, dan, ['news']);
    await deactivate(olivia, dan);
    expect(await lastingSubscribers('news')).toEqual([]);
    const rows = await ctx.db.query<{ kind: string }>(
      `select kind from outbox where realm_id = $1 and kind in ('peers.removed', 'user.deactivated') order by id`,
      [olivia.realmId],
    );
    expect(rows.at(0)?.kind).toBe('peers.removed');
    expect(rows.at(-1)?.kind).toBe('user.deactivated');
  });

  test('is announced to everybody', async () => {
    const events = await eventsSince(() => deactivate(olivia, dan), 'realm_user');
    expect(events).toEqual([{ audience: { to: 'realm' }, event: update(dan, false) }]);
    expect(await publicEvents(ctx, olivia, 'realm_bot')).toEqual([]);
  });

  test('has their bots deactivated, too', async () => {
    const [bot, other, gone] = [await newBot(dan), await newBot(olivia), await newBot(dan)];
    await ctx.db.query('update user_account set is_active = false where id = $1', [gone.userId]);
    const people = await eventsSince(() => deactivate(olivia, dan), 'realm_user');
    expect(people.map(({ event }) => event)).toEqual([update(bot, false), update(dan, false)]);
    expect([await isActive(bot), await isActive(other)]).toEqual([false, true]);
    expect(await outcomeOf(bot)).toBe('user_deactivated');
    const bots = (await publicEvents(ctx, olivia, 'realm_bot')).filter(({ event }) => event.op === 'update');
    expect(bots).toMatchObject([{ event: { bot: { user_id: bot.userId, is_active: false } } }]);
    expect(bots[0]?.audience).toEqual({ to: 'users', userIds: [dan.userId, olivia.userId] });
  });

  test('costs as many statements with many bots and channels as with one', async () => {
    const count = async (person: Person) => {
      const before = ctx.db.statementCount;
      await deactivate(olivia, person);
      return ctx.db.statementCount - before;
    };
    const eve = await newUser(ctx, olivia);
    await join(ctx, dan, ['e']);
    await newBot(dan);
    await join(ctx, eve, ['a', 'b', 'c', 'd']);
    for (let index = 0; index < 3; index += 1) await newBot(eve);
    expect(await count(eve)).toBe(await count(dan));
  });

  test.each([
    [undefined, null],
    ['', ''],
    ['  Thank you ', 'Thank you'],
  ])('gets a mail if there is a comment: %p', async (comment, expected) => {
    const { fullName } = await getOwnUser(ctx, dan);
    await newBot(dan);
    await deactivate(olivia, dan, comment);
    const mail = {
      template: 'account-deactivated',
      recipient: dan.email,
      content: { userId: dan.userId, fullName, comment: expected },
    };
    expect(await waitingMails(ctx, olivia)).toEqual(expected === null ? [] : [mail]);
  });
});

describe('deactivation', () => {
  test.each([
    ['a moderator', 300, 400, 'Insufficient permission'],
    ['an administrator an owner', 200, 100, 'Must be an organization owner'],
  ])('is refused to %s', async (_who, role, ofRole, text) => {
    const [eve, person] = [await newUser(ctx, olivia, { role }), await newUser(ctx, olivia, { role: ofRole })];
    await expect(deactivate(eve, person)).rejects.toThrow(text);
    expect(await isActive(person)).toBe(true);
  });

  test('requires an active person of the organization', async () => {
    const [bot, stranger] = [await newBot(dan), await newOrganization(ctx)];
    await expect(deactivate(olivia, bot)).rejects.toThrow('No such user');
    await expect(deactivate(olivia, stranger)).rejects.toThrow('No such user');
    await deactivate(olivia, dan);
    await expect(deactivate(olivia, dan)).rejects.toMatchObject({
      name: 'NothingToDoError',
      message: 'User is deactivated',
    });
    await expect(deactivate(olivia, dan, 'x'.repeat(2001))).rejects.toThrow(
      'deactivation_notification_comment is too long (limit: 2000 characters)',
    );
    await expect(deactivate(olivia, dan, 'so\nlong\0')).rejects.toThrow(
      'Invalid character in deactivation_notification_comment, at position 8.',
    );
  });

  test('is refused for the only owner', async () => {
    await newUser(ctx, olivia, { role: 100, botType: 1, botOwnerEmail: olivia.email });
    await expect(deactivate(olivia, olivia)).rejects.toThrow('Cannot deactivate the only organization owner');
    await newUser(ctx, olivia, { role: 100 });
    await deactivate(olivia, olivia);
    await expect(getSomebody()).rejects.toMatchObject({ code: 'USER_DEACTIVATED' });
  });

  const getSomebody = () => deactivate(olivia, dan);
});

describe('deactivating oneself', () => {
  test('requires that another owner, or another user, stays', async () => {
    const alone = await newOrganization(ctx);
    await newUser(ctx, alone, { botType: 1, botOwnerEmail: alone.email });
    await expect(deactivateOwnUser(ctx, alone)).rejects.toMatchObject({
      code: 'CANNOT_DEACTIVATE_LAST_USER',
      message: 'Cannot deactivate the only user.',
      fields: { is_last_owner: false, entity: 'user' },
    });
    await expect(deactivateOwnUser(ctx, olivia)).rejects.toMatchObject({
      message: 'Cannot deactivate the only organization owner.',
      fields: { is_last_owner: true, entity: 'organization owner' },
    });
  });

  test('is allowed to people and bots', async () => {
    const bot = await newBot(dan);
    await deactivateOwnUser(ctx, bot);
    expect([await isActive(bot), await isActive(dan)]).toEqual([false, true]);
    await deactivateOwnUser(ctx, dan);
    expect(await isActive(dan)).toBe(false);
  });
});

describe('a reactivated account', () => {
  test('has its role and its subscriptions', async () => {
    await updateUser(ctx, olivia, { user: { id: dan.userId }, role: 300, profileValues: [] });
    await join(ctx, dan, ['news']);
    await deactivate(olivia, dan);
    const events = await eventsSince(() => reactivate(olivia, dan), 'realm_user');
    expect(events).toEqual([{ audience: { to: 'realm' }, event: update(dan, true) }]);
    expect(await lastingSubscribers('news')).toEqual([dan.userId]);
    expect(await getOwnUser(ctx, dan)).toMatchObject({ isActive: true, role: 300 });
  });

  test('that was active already changes nothing', async () => {
    expect(await eventsSince(() => reactivate(olivia, dan), 'realm_user')).toEqual([]);
    await expect(reactivate(await newUser(ctx, olivia), dan)).rejects.toThrow('Insufficient permission');
  });

  test('of a bot has its former key, and its former owner if that is active', async () => {
    const bot = await newBot(dan);
    await deactivate(olivia, dan);
    const gone = await newUser(ctx, olivia, { role: 200 });
    await reactivate(gone, bot);
    expect(await getOwnUser(ctx, bot)).toMatchObject({ isActive: true, botOwnerId: gone.userId });
    const bots = (await publicEvents(ctx, olivia, 'realm_bot')).map(({ event }) => event.bot);
    expect(bots).toContainEqual({ user_id: bot.userId, is_active: true });
    const keys = await ctx.db.query('select 1 from api_key where user_id = $1 and revoked_at is null', [bot.userId]);
    expect(keys).toHaveLength(1);
    await deactivateOwnUser(ctx, bot);
    await reactivate(olivia, bot);
    expect(await getOwnUser(ctx, bot)).toMatchObject({ botOwnerId: gone.userId });
  });

  test('of a bot needs a unique name, and the right to create bots', async () => {
    const bot = await newBot(dan);
    await deactivateOwnUser(ctx, bot);
    const { fullName } = await getOwnUser(ctx, bot);
    const twin = await newUser(ctx, olivia, { fullName });
    await expect(reactivate(dan, bot)).rejects.toThrow(`There is already an active bot named "${fullName}"`);
    await deactivate(olivia, twin);
    await ctx.db.query(
      `insert into realm_group_setting (realm_id, name, group_id)
       select $1, 'can_create_bots_group', id from user_group where realm_id = $1 and name = 'role:owners'`,
      [olivia.realmId],
    );
    await expect(reactivate(dan, bot)).rejects.toThrow('Insufficient permission');
    await reactivate(olivia, bot);
  });
});

describe('where guests are restricted', () => {
  test('guests who shared only channels with the user lose access to them, and are notified', async () => {
    await restrictGuests(ctx, olivia);
    const [peer, friend, other] = [
      await newUser(ctx, olivia, { role: 600 }),
      await newUser(ctx, olivia, { role: 600 }),
      await newUser(ctx, olivia, { role: 600 }),
    ];
    await ctx.db.query('update subscription set is_active = false where user_id = any($1)', [
      [peer, friend, other].map(({ userId }) => userId),
    ]);
    await join(ctx, olivia, ['team'], { principalIds: [peer.userId, dan.userId] });
    await meetDirectly(ctx.db, dan, friend);
    const groupId = await newGroup(ctx, olivia, { name: 'friends', members: [dan] });
    const events = await eventsSince(() => deactivate(olivia, dan), 'realm_user');
    expect(events).toEqual([
      { audience: { to: 'realm', exceptIds: [peer.userId, other.userId] }, event: update(dan, false) },
      {
        audience: { to: 'users', userIds: [peer.userId] },
        event: { type: 'realm_user', op: 'remove', person: { user_id: dan.userId, full_name: 'Unknown user' } },
      },
    ]);
    const toEverybody = { audience: { to: 'realm' } };
    expect(
      (await publicEvents(ctx, olivia, 'user_group')).filter(({ event }) => event.op === 'remove_members'),
    ).toMatchObject([
      { ...toEverybody, event: { group_id: groupId, user_ids: [dan.userId] } },
      { ...toEverybody, event: { user_ids: [dan.userId] } },
      { ...toEverybody, event: { user_ids: [dan.userId] } },
    ]);
    const back = await eventsSince(() => reactivate(olivia, dan), 'realm_user');
    expect(back).toMatchObject([
      { audience: { to: 'realm', exceptIds: [peer.userId, other.userId] }, event: update(dan, true) },
      { audience: { to: 'users', userIds: [peer.userId] }, event: { op: 'add', person: { user_id: dan.userId } } },
    ]);
  });
});

describe('a bot that is an owner', () => {
  test('is deactivated with its owner by owners, or when the owner leaves, but not by an administrator', async () => {
    const ada = await newUser(ctx, olivia, { role: 200 });
    const bot = await newBot(dan);
    await updateBot(ctx, olivia, { botId: bot.userId, role: 100, configData: null, files: [] });
    await expect(deactivate(ada, dan)).rejects.toThrow('Must be an organization owner');
    expect([await isActive(dan), await isActive(bot)]).toEqual([true, true]);
    await deactivate(olivia, dan);
    expect([await isActive(dan), await isActive(bot)]).toEqual([false, false]);
    await deactivate(ada, await newUser(ctx, olivia, {}));
  });

  test('that is deactivated already does not keep an administrator from deactivating its owner', async () => {
    const ada = await newUser(ctx, olivia, { role: 200 });
    const bot = await newBot(dan);
    await updateBot(ctx, olivia, { botId: bot.userId, role: 100, configData: null, files: [] });
    await deactivateBot(ctx, olivia, { botId: bot.userId });
    await deactivate(ada, dan);
    expect(await isActive(dan)).toBe(false);
  });
});
