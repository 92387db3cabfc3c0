import { contextOfTests } from '../../test/each-test';
import { channelIds, join, newOrganization, newUser } from '../../test/examples';
import { updateUserSettings } from '../users/update-user-settings';
import { getSendFacts } from './get-send-facts';
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

test('of the channel, or the recipients and the sender, it comes with the facts of a send', async () => {
  const olivia = await newOrganization(ctx);
  const [iago, zoe] = [await newUser(ctx, olivia), await newUser(ctx, olivia)];
  const settings = [{ name: 'receives_typing_notifications', boolean: false }];
  for (const person of [olivia, zoe]) await updateUserSettings(ctx, person, { settings });
  const { general } = await channelIds(ctx, olivia);
  const names = { mentionedNames: [], mentionedGroupNames: [], linkedChannelNames: [], emojiNames: [] };
  const common = { realmId: olivia.realmId, senderId: olivia.userId, recipientEmails: [], ...names };
  const inGeneral = { ...common, channelId: general as number, recipientIds: [] };
  const asked = [
    { ...inGeneral, tellsTyping: true },
    { ...common, recipientIds: [iago.userId], tellsTyping: true },
    { ...common, recipientIds: [zoe.userId, iago.userId], tellsTyping: true },
    inGeneral,
  ];
  const audiencesOf = async (queries: typeof asked) =>
    (await getSendFacts(ctx, { queries })).facts.map(({ typingAudience }) => typingAudience);
  const inChannel = { subscriberCount: 3, unwillingIds: [olivia.userId, zoe.userId] };
  expect(await audiencesOf(asked)).toEqual([
    inChannel,
    { subscriberCount: 0, unwillingIds: [olivia.userId] },
    { subscriberCount: 0, unwillingIds: [olivia.userId, zoe.userId] },
    null,
  ]);
  expect(await audiencesOf(asked.slice(0, 1))).toEqual([inChannel]);
  const whole = (await getSendFacts(ctx, { queries: asked.slice(0, 1) })).facts[0];
  const short = (await getSendFacts(ctx, { queries: [{ ...inGeneral, tellsTyping: true, omitsOrganization: true }] }))
    .facts[0];
  expect(whole?.realm?.id).toBe(olivia.realmId);
  expect(short).toEqual({ ...whole, realm: null });
  await ctx.db.query('update channel set subscriber_count = 101 where id = $1', [general]);
  expect(await audiencesOf(asked.slice(0, 1))).toEqual([{ subscriberCount: 101, unwillingIds: [] }]);
});
