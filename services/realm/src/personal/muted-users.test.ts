import type { Caller } from '@parley/shared/rpc';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { newOrganization, newUser } from '../../test/examples';
import { payloadsOf, publicEvents } from '../../test/public-events';
import { getRegisterState } from '../register/get-register-state';
import { muteUser, unmuteUser } from './muted-users';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const iago = memberOfEachTest(ctx, olivia);

const mute = (caller: Caller, { userId }: { userId: number }) => muteUser(ctx, caller, { userId });
const unmute = (caller: Caller, { userId }: { userId: number }) => unmuteUser(ctx, caller, { userId });

test('people and bots are muted, active or not, which is announced to the user only', async () => {
  const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
  await ctx.db.query('update user_account set is_active = false where id = $1', [iago.userId]);
  await mute(olivia, iago);
  ctx.clock.advance(1_000);
  await mute(olivia, bot);
  const now = ctx.clock.now();
  expect((await getRegisterState(ctx, olivia)).personal?.mutedUsers).toEqual([
    { userId: iago.userId, mutedAtMs: now - 1_000 },
    { userId: bot.userId, mutedAtMs: now },
  ]);
  const events = await publicEvents(ctx, olivia, 'muted_users');
  expect(events[1]).toEqual({
    audience: { to: 'users', userIds: [olivia.userId] },
    event: {
      type: 'muted_users',
      muted_users: [
        { id: iago.userId, timestamp: now / 1_000 - 1 },
        { id: bot.userId, timestamp: now / 1_000 },
      ],
    },
  });
  expect((await getRegisterState(ctx, bot)).personal?.mutedUsers).toEqual([]);
});

test('muting ends', async () => {
  await mute(olivia, iago);
  await unmute(olivia, iago);
  expect((await getRegisterState(ctx, olivia)).personal?.mutedUsers).toEqual([]);
  expect(await payloadsOf(ctx, olivia, 'muted-users.changed')).toMatchObject([
    { mutedUserId: iago.userId, isMuted: true, mutedUsers: [{ userId: iago.userId }] },
    { mutedUserId: iago.userId, isMuted: false, mutedUsers: [] },
  ]);
});

test('refuses, and announces nothing', async () => {
  const stranger = await newOrganization(ctx);
  await expect(mute(olivia, olivia)).rejects.toThrow('Cannot mute self');
  await expect(mute(olivia, stranger)).rejects.toThrow('No such user');
  await expect(mute(olivia, { userId: -1 })).rejects.toThrow('No such user');
  await expect(unmute(olivia, stranger)).rejects.toThrow('No such user');
  await expect(unmute(olivia, iago)).rejects.toMatchObject({ name: 'NothingToDoError', message: 'User is not muted' });
  await mute(olivia, iago);
  await expect(mute(olivia, iago)).rejects.toMatchObject({ name: 'NothingToDoError', message: 'User already muted' });
  expect(await publicEvents(ctx, olivia, 'muted_users')).toHaveLength(1);
});

test('of two mutings at once of one user one is too late; of two users both hold', async () => {
  const zoe = await newUser(ctx, olivia);
  const results = await Promise.allSettled([mute(olivia, iago), mute(olivia, iago), mute(olivia, zoe)]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  const events = await publicEvents(ctx, olivia, 'muted_users');
  expect(events.at(-1)?.event['muted_users']).toHaveLength(2);
});
