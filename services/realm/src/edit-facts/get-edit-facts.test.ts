import { join, newOrganization, newUser, openContext, type Person, type TestContext } from '../../test/examples';
import { listRetention } from '../retention/list-retention';
import { getEditFacts } from './get-edit-facts';

let ctx: TestContext;
let olivia: Person;

beforeAll(async () => {
  ctx = await openContext();
});
beforeEach(async () => {
  olivia = await newOrganization(ctx);
});
afterAll(() => ctx.close());

const NO_NAMES = { mentionedNames: [], mentionedGroupNames: [], linkedChannelNames: [], emojiNames: [] };
const ask = (who: Person, ...channelIds: number[]) => getEditFacts(ctx, who, { channelIds, ...NO_NAMES });

async function channelIdOf(name: string): Promise<number> {
  const [row] = await ctx.db.query<{ id: number }>('select id from channel where realm_id = $1 and name = $2', [
    olivia.realmId,
    name,
  ]);
  return row?.id as number;
}

test('the facts hold the rights of the caller, in the organization and in the channels that are asked for', async () => {
  const [general, sandbox] = [await channelIdOf('general'), await channelIdOf('sandbox')];
  const member = await newUser(ctx, olivia);
  const { permissions, channels, notificationBot, read, send } = await ask(member, general, sandbox);
  expect(permissions).toEqual(
    expect.arrayContaining(['can_move_messages_between_channels_group', 'can_resolve_topics_group']),
  );
  expect(permissions).not.toContain('can_delete_any_message_group');
  expect(channels.map((facts) => facts.send?.channel?.id)).toEqual([general, sandbox]);
  expect(channels[0]?.permissions).toContain('can_send_message_group');
  expect(channels[0]?.permissions).not.toContain('can_move_messages_within_channel_group');
  expect(notificationBot?.isSystemBot).toBe(true);
  expect(read?.channels.map(({ channelId }) => channelId)).toEqual(expect.arrayContaining([general, sandbox]));
  expect(send?.sender?.id).toBe(member.userId);
  expect((await ask(olivia)).permissions).toContain('can_delete_any_message_group');
});

test('guests who are in the first channel only are told of when there is a second', async () => {
  await join(ctx, olivia, ['open']);
  const [open, sandbox] = [await channelIdOf('open'), await channelIdOf('sandbox')];
  const [guest, both] = [await newUser(ctx, olivia, { role: 600 }), await newUser(ctx, olivia, { role: 600 })];
  await join(ctx, olivia, ['open'], { principalIds: [guest.userId, both.userId] });
  await join(ctx, olivia, ['sandbox'], { principalIds: [both.userId] });
  await ctx.db.query(
    `update subscription set is_active = false where realm_id = $1 and channel_id = $2 and user_id = $3`,
    [olivia.realmId, sandbox, guest.userId],
  );
  expect((await ask(olivia, open, sandbox)).channels[0]?.guestIds).toEqual([guest.userId]);
  expect((await ask(olivia, open)).channels[0]?.guestIds).toEqual([]);
});

test('how long messages are kept is listed where not for ever', async () => {
  const ofOlivia = async () => (await listRetention(ctx)).realms.find(({ realmId }) => realmId === olivia.realmId);
  expect(await ofOlivia()).toBeUndefined();
  const general = await channelIdOf('general');
  await ctx.db.query('update channel set message_retention_days = 7 where realm_id = $1 and id = $2', [
    olivia.realmId,
    general,
  ]);
  const { days, channels } = (await ofOlivia()) ?? {};
  expect(days).toBe(-1);
  expect(channels).toContainEqual({
    channelId: general,
    name: 'general',
    days: 7,
    subscriptionVersion: expect.any(Number),
    isPrivate: false,
    isHistoryPublic: true,
  });
  expect(channels?.filter((channel) => channel.days !== undefined)).toHaveLength(1);
  await ctx.db.query(`update realm set settings = '{"message_retention_days": 30}' where id = $1`, [olivia.realmId]);
  expect((await ofOlivia())?.days).toBe(30);
});
