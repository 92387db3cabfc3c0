import type { UpdateUserStatusRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { newOrganization, newUser, type Person } from '../../test/examples';
import { publicEvents } from '../../test/public-events';
import { getRegisterState } from '../register/get-register-state';
import { getUserStatus, updateUserStatus } from './statuses';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const iago = memberOfEachTest(ctx, olivia);

const set = (caller: Caller, request: UpdateUserStatusRequest) => updateUserStatus(ctx, caller, request);
const statusOf = ({ userId }: Person) => getUserStatus(ctx, olivia, { userId });
const SMILE = { name: 'smile', code: '1f642', reactionType: 'unicode_emoji' };

test('users without a status have an empty one', async () => {
  expect(await statusOf(iago)).toEqual({ userId: iago.userId, statusText: '', isAway: false });
});

test('omitted values are unchanged', async () => {
  await set(iago, { statusText: 'lunch', emojiName: 'smile' });
  await set(iago, { statusText: 'back' });
  expect(await statusOf(iago)).toEqual({ userId: iago.userId, statusText: 'back', emoji: SMILE, isAway: false });
  await set(iago, { emojiName: '' });
  expect(await statusOf(iago)).toEqual({ userId: iago.userId, statusText: 'back', isAway: false });
});

test('exactly the set values are announced to everybody, even without a change', async () => {
  await set(iago, { statusText: 'lunch' });
  await set(iago, { statusText: 'lunch' });
  await set(iago, { emojiName: 'smile' });
  await set(iago, { statusText: '', emojiName: '' });
  const events = await publicEvents(ctx, iago, 'user_status');
  expect(events.every(({ audience }) => audience.to === 'realm')).toBe(true);
  const common = { type: 'user_status', user_id: iago.userId };
  const cleared = { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' };
  expect(events.map(({ event }) => event)).toEqual([
    { ...common, status_text: 'lunch' },
    { ...common, status_text: 'lunch' },
    { ...common, emoji_name: 'smile', emoji_code: '1f642', reaction_type: 'unicode_emoji' },
    { ...common, status_text: '', ...cleared },
  ]);
});

test('an away status is hidden presence', async () => {
  await set(iago, { isAway: true });
  await set(iago, { isAway: true });
  expect(await statusOf(iago)).toMatchObject({ isAway: true });
  const settings = await publicEvents(ctx, iago, 'user_settings');
  expect(settings.map(({ event }) => event)).toEqual([
    { type: 'user_settings', op: 'update', property: 'presence_enabled', value: false },
  ]);
  const statuses = await publicEvents(ctx, iago, 'user_status');
  expect(statuses.map(({ event }) => event['away'])).toEqual([true, true]);
  await set(iago, { isAway: false });
  expect(await statusOf(iago)).toMatchObject({ isAway: false });
});

test('two changes at once both hold', async () => {
  await Promise.all([set(iago, { statusText: 'lunch' }), set(iago, { emojiName: 'smile' })]);
  expect(await statusOf(iago)).toMatchObject({ statusText: 'lunch', emoji: SMILE });
});

test('POST /register lists the statuses of active people', async () => {
  const [zoe, gone] = [await newUser(ctx, olivia), await newUser(ctx, olivia)];
  await set(iago, { statusText: 'lunch' });
  await set(zoe, { statusText: 'lunch' });
  await set(zoe, { statusText: '' });
  await set(gone, { statusText: 'lunch' });
  await ctx.db.query('update user_account set is_active = false where id = $1', [gone.userId]);
  const { personal } = await getRegisterState(ctx, olivia);
  expect(personal?.statuses).toEqual([{ userId: iago.userId, statusText: 'lunch', isAway: false }]);
});

describe('another user’s status', () => {
  test('is set by administrators', async () => {
    await set(olivia, { userId: iago.userId, statusText: 'on leave' });
    expect(await statusOf(iago)).toMatchObject({ statusText: 'on leave' });
    expect(await statusOf(olivia)).toMatchObject({ statusText: '' });
  });

  test.each([300, 400, 600])('is not set by role %i', async (role) => {
    const caller = await newUser(ctx, olivia, { role });
    const refusal = { message: 'Insufficient permission', code: 'BAD_REQUEST', httpStatus: 400 };
    for (const { userId } of [iago, caller]) {
      await expect(set(caller, { userId, statusText: 'x' })).rejects.toMatchObject(refusal);
    }
  });

  test('is that of an active person of the organization, for reading and for setting', async () => {
    const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
    const stranger = await newOrganization(ctx);
    await ctx.db.query('update user_account set is_active = false where id = $1', [iago.userId]);
    for (const [userId, message] of [
      [bot.userId, 'No such user'],
      [stranger.userId, 'No such user'],
      [0, 'No such user'],
      [2 ** 60, 'No such user'],
      [iago.userId, 'User is deactivated'],
    ] as const) {
      await expect(set(olivia, { userId, statusText: 'x' })).rejects.toThrow(message);
      await expect(getUserStatus(ctx, olivia, { userId })).rejects.toThrow(message);
    }
  });
});

test('bots have no status of their own', async () => {
  const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
  await expect(set(bot, { statusText: 'x' })).rejects.toThrow('This endpoint does not accept bot requests.');
});
