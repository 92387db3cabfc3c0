import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { channelIds, join, newOrganization, newUser } from '../../test/examples';
import { publicEvents } from '../../test/public-events';
import { getRegisterState } from '../register/get-register-state';
import { addDefaultChannel, removeDefaultChannel } from './default-channels';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

const add = (channelId: number | undefined) => addDefaultChannel(ctx, olivia, { channelId: channelId as number });
const remove = (channelId: number | undefined) => removeDefaultChannel(ctx, olivia, { channelId: channelId as number });
const events = () => publicEvents(ctx, olivia, 'default_streams');

test('new users are subscribed to default channels, which are announced to everybody but guests', async () => {
  const iago = await newUser(ctx, olivia);
  const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: iago.email });
  await newUser(ctx, olivia, { role: 600 });
  const gone = await newUser(ctx, olivia);
  await ctx.db.query('update user_account set is_active = false where id = $1', [gone.userId]);
  await join(ctx, olivia, ['news']);
  const { general, sandbox, tips, news } = await channelIds(ctx, olivia);

  await add(news);
  await remove(general);
  const audience = { to: 'users', userIds: [olivia.userId, iago.userId, bot.userId] };
  expect(await events()).toEqual([
    { audience, event: { type: 'default_streams', default_streams: [general, sandbox, tips, news] } },
    { audience, event: { type: 'default_streams', default_streams: [sandbox, tips, news] } },
  ]);
  const zoe = await newUser(ctx, olivia);
  const state = await getRegisterState(ctx, zoe);
  expect(state.defaultChannelIds).toEqual([sandbox, tips, news]);
  expect(state.subscriptions.map(({ channel }) => channel?.name)).toEqual(['sandbox', 'tips', 'news']);
});

test('unchanged defaults are not announced', async () => {
  await join(ctx, olivia, ['news']);
  const { general, news } = await channelIds(ctx, olivia);
  expect([await add(general), await remove(news)]).toEqual([{}, {}]);
  expect(await events()).toEqual([]);
});

test('private, archived and unknown channels cannot be default', async () => {
  await join(ctx, olivia, ['closed'], { newChannel: { isPrivate: true } });
  await join(ctx, olivia, ['old']);
  await ctx.db.query(`update channel set is_archived = true where realm_id = $1 and name = 'old'`, [olivia.realmId]);
  const { closed, old } = await channelIds(ctx, olivia);
  const { general: foreign } = await channelIds(ctx, await newOrganization(ctx));
  await expect(add(closed)).rejects.toThrow('Private channels cannot be made default.');
  for (const channelId of [old, foreign, 0, 2 ** 63])
    await expect(add(channelId)).rejects.toThrow('Invalid channel ID');
  for (const channelId of [foreign, -1]) await expect(remove(channelId)).rejects.toThrow('Invalid channel ID');
});

test('only administrators may change the default channels', async () => {
  const moderator = await newUser(ctx, olivia, { role: 300 });
  const refusal = { code: 'UNAUTHORIZED_PRINCIPAL', message: 'Must be an organization administrator' };
  await expect(addDefaultChannel(ctx, moderator, { channelId: 0 })).rejects.toMatchObject(refusal);
  await expect(removeDefaultChannel(ctx, moderator, { channelId: 0 })).rejects.toMatchObject(refusal);
});
