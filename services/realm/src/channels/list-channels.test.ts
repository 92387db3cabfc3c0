import type { GroupSetting, ListChannelsRequest } from '@parley/shared/proto';
import { newChannel } from '../../test/channels';
import { channelIds, newOrganization, newUser, openContext, type Person, type TestContext } from '../../test/examples';
import { findChannel, getChannel, getChannelMembers } from '../channel-access/get-channel';
import { getChannelEmailAddress } from '../channel-mail/channel-addresses';
import { channelReader } from '../list-changes/list-versions';
import { archiveChannel } from './archive-channel';
import { listChannels } from './list-channels';

let ctx: TestContext;
let olivia: Person;
let iago: Person;
let zoe: Person;
let guest: Person;
let bot: Person;
let ids: Record<'open' | 'world' | 'joinable' | 'vault' | 'old', number>;

const NOTHING: ListChannelsRequest = {
  includesPublic: false,
  includesWebPublic: false,
  includesSubscribed: false,
  includesOwnerSubscribed: false,
  includesReadable: false,
  includesAll: false,
  includesAllForAdministrators: false,
  excludesArchived: false,
};
const unnamed = (...directMemberIds: number[]): GroupSetting => ({ directMemberIds, directSubgroupIds: [] });

// An organization with a channel of each kind: everybody is subscribed to `general` and `sandbox` from the beginning.
beforeAll(async () => {
  ctx = await openContext();
  olivia = await newOrganization(ctx);
  iago = await newUser(ctx, olivia);
  zoe = await newUser(ctx, olivia);
  guest = await newUser(ctx, olivia, { role: 600 });
  bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: iago.email });
  const isPrivate = true;
  ids = {
    open: await newChannel(ctx, iago, 'open'),
    world: await newChannel(ctx, iago, 'world'),
    joinable: await newChannel(ctx, iago, 'joinable', {
      settings: { isPrivate, groupSettings: { can_subscribe_group: unnamed(zoe.userId) } },
    }),
    vault: await newChannel(ctx, iago, 'vault', {
      subscriberIds: [guest.userId, iago.userId],
      settings: { isPrivate },
    }),
    old: await newChannel(ctx, iago, 'old'),
  };
  await archiveChannel(ctx, iago, { channelId: ids.old });
  await ctx.db.query('update channel set is_web_public = true where id = $1', [ids.world]);
  await ctx.db.query('update subscription set is_active = false where user_id = $1', [bot.userId]);
});
afterAll(() => ctx.close());

async function list(who: Person, request: Partial<ListChannelsRequest>) {
  const { channels } = await listChannels(ctx, channelReader(ctx), who, { ...NOTHING, ...request });
  const nameOf = new Map(Object.entries(await channelIds(ctx, who)).map(([name, id]) => [id, name]));
  return channels.map(({ channelId, isDefault }) => ({ name: nameOf.get(channelId) as string, isDefault }));
}

async function names(who: Person, request: Partial<ListChannelsRequest>): Promise<string[]> {
  return (await list(who, request)).map(({ name }) => name);
}

test.each<[string, () => Person, Partial<ListChannelsRequest>, string[]]>([
  ['nothing asked for', () => olivia, {}, []],
  ['public', () => zoe, { includesPublic: true }, ['general', 'old', 'open', 'sandbox', 'tips', 'world']],
  [
    'public, in use',
    () => zoe,
    { includesPublic: true, excludesArchived: true },
    ['general', 'open', 'sandbox', 'tips', 'world'],
  ],
  ['public, for a guest', () => guest, { includesPublic: true }, ['world']],
  ['for all the world', () => zoe, { includesWebPublic: true }, ['world']],
  ['subscribed', () => guest, { includesSubscribed: true }, ['general', 'sandbox', 'tips', 'vault']],
  [
    'readable',
    () => zoe,
    { includesReadable: true, excludesArchived: true },
    ['general', 'joinable', 'open', 'sandbox', 'tips', 'world'],
  ],
  [
    'known, for an owner',
    () => olivia,
    { includesAll: true },
    ['general', 'joinable', 'old', 'open', 'sandbox', 'tips', 'vault', 'world'],
  ],
  [
    'readable, for an owner',
    () => olivia,
    { includesReadable: true },
    ['general', 'old', 'open', 'sandbox', 'tips', 'world'],
  ],
  [
    'known, for a member',
    () => zoe,
    { includesAll: true },
    ['general', 'joinable', 'old', 'open', 'sandbox', 'tips', 'world'],
  ],
  ["the owner's, for a bot", () => bot, { includesOwnerSubscribed: true }, ['general', 'sandbox', 'tips', 'vault']],
  ["the owner's, for a person", () => iago, { includesOwnerSubscribed: true }, []],
])('channels: %s', async (_what, who, request, expected) => {
  expect(await names(who(), request)).toEqual(expected);
});

test('default channels are marked; the old question for everything is for administrators', async () => {
  const channels = await list(olivia, { includesAllForAdministrators: true });
  const defaults = channels.filter(({ isDefault }) => isDefault).map(({ name }) => name);
  expect(defaults).toEqual(['general', 'sandbox', 'tips']);
  await expect(names(zoe, { includesAllForAdministrators: true })).rejects.toThrow(
    'User not authorized for this query',
  );
});

test('a channel exists for users who may see it, archived or not; not for others', async () => {
  for (const channelId of [ids.old, ids.joinable])
    expect(await getChannel(ctx, zoe, { channelId })).toMatchObject({ id: channelId });
  const invalid = { channelId: ids.vault };
  for (const read of [getChannel, getChannelMembers, getChannelEmailAddress]) {
    await expect(read(ctx, zoe, invalid)).rejects.toThrow('Invalid channel ID');
    await expect(read(ctx, zoe, { channelId: 999_999 })).rejects.toThrow('Invalid channel ID');
  }
  expect(await findChannel(ctx, zoe, { name: 'OPEN' })).toEqual({ channelId: ids.open });
  await expect(findChannel(ctx, zoe, { name: 'vault' })).rejects.toThrow("Invalid channel name 'vault'");
  await expect(findChannel(ctx, zoe, { name: 'no\0where' })).rejects.toThrow('Invalid channel name');
});

test('its members are the active subscribers', async () => {
  expect(await getChannelMembers(ctx, olivia, { channelId: ids.vault })).toEqual({
    userIds: [iago.userId, guest.userId],
  });
  expect(await getChannelMembers(ctx, olivia, { channelId: ids.open })).toEqual({ userIds: [] });
});
