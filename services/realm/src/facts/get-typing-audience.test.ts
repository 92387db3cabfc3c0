import { contextOfTests } from '../../test/each-test';
import { channelIds, join, newOrganization, newUser } from '../../test/examples';
import { updateUserSettings } from '../users/update-user-settings';
import { getTypingAudience } from './get-typing-audience';

const ctx = contextOfTests();

test('users without typing notifications are found among subscribers and given users', async () => {
  const olivia = await newOrganization(ctx);
  const [iago, zoe, dan] = [await newUser(ctx, olivia), await newUser(ctx, olivia), await newUser(ctx, olivia)];
  for (const person of [iago, zoe, dan]) {
    const settings = [{ name: 'receives_typing_notifications', boolean: person === dan }];
    await updateUserSettings(ctx, person, { settings });
  }
  await join(ctx, olivia, ['quiet'], { newChannel: { isPrivate: true } });
  const { quiet, general } = await channelIds(ctx, olivia);
  const ask = (channelId: number | undefined, userIds: number[]) =>
    getTypingAudience(ctx, olivia, { ...(channelId !== undefined && { channelId }), userIds });
  expect(await ask(general, [])).toEqual({ subscriberCount: 4, unwillingIds: [iago.userId, zoe.userId] });
  expect(await ask(quiet, [zoe.userId, dan.userId])).toEqual({ subscriberCount: 1, unwillingIds: [zoe.userId] });
  expect(await ask(undefined, [iago.userId, dan.userId, -1])).toEqual({
    subscriberCount: 0,
    unwillingIds: [iago.userId],
  });
  expect(await ask(2 ** 52, [])).toEqual({ subscriberCount: 0, unwillingIds: [] });
  await ctx.db.query('update channel set subscriber_count = 101 where id = $1', [general]);
  expect(await ask(general, [])).toEqual({ subscriberCount: 101, unwillingIds: [] });
});
