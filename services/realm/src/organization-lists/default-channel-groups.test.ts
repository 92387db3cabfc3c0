import { newChannel } from '../../test/channels';
import { newOrganization, newUser, openContext, type Person, type TestContext } from '../../test/examples';
import { publicEvents } from '../../test/public-events';
import { updateChannel } from '../channels/update-channel';
import { getRegisterState } from '../register/get-register-state';
import {
  changeDefaultChannelGroupChannels,
  createDefaultChannelGroup,
  removeDefaultChannelGroup,
  updateDefaultChannelGroup,
} from './default-channel-groups';
import { listDefaultChannelGroups } from './default-channel-groups.sql';

let ctx: TestContext;
let olivia: Person;
let ids: number[];

beforeAll(async () => {
  ctx = await openContext();
});
beforeEach(async () => {
  olivia = await newOrganization(ctx);
  ids = [await newChannel(ctx, olivia, 'rust'), await newChannel(ctx, olivia, 'design')];
});
afterAll(() => ctx.close());

const NEW = { name: ' Engineers ', description: 'All of them', channelNames: ['Rust'] };
const groups = () => listDefaultChannelGroups(ctx.db, olivia.realmId);

test('a set of channels is created, changed and deleted; all sets are announced to everybody but guests', async () => {
  const guest = await newUser(ctx, olivia, { role: 600 });
  const { id } = await createDefaultChannelGroup(ctx, olivia, NEW);
  expect(await groups()).toEqual([{ id, name: 'Engineers', description: 'All of them', channelIds: [ids[0]] }]);
  await changeDefaultChannelGroupChannels(ctx, olivia, { id, areAdded: true, channelNames: ['design'] });
  await changeDefaultChannelGroupChannels(ctx, olivia, { id, areAdded: false, channelNames: ['RUST'] });
  await updateDefaultChannelGroup(ctx, olivia, { id, name: 'Makers' });
  await updateDefaultChannelGroup(ctx, olivia, { id, description: '' });
  expect(await groups()).toEqual([{ id, name: 'Makers', description: '', channelIds: [ids[1]] }]);
  expect((await getRegisterState(ctx, olivia)).defaultChannelGroups).toEqual(await groups());
  expect((await getRegisterState(ctx, guest)).defaultChannelGroups).toEqual([]);
  await removeDefaultChannelGroup(ctx, olivia, { id });
  expect(await groups()).toEqual([]);
  const events = await publicEvents(ctx, olivia, 'default_stream_groups');
  expect(events[0]).toEqual({
    audience: { to: 'users', userIds: expect.not.arrayContaining([guest.userId]) },
    event: {
      type: 'default_stream_groups',
      default_stream_groups: [{ id, name: 'Engineers', description: 'All of them', streams: [ids[0]] }],
    },
  });
  expect(events.at(-1)?.event).toMatchObject({ default_stream_groups: [] });
});

test('a channel that becomes private leaves its sets, and cannot be added to one', async () => {
  const { id } = await createDefaultChannelGroup(ctx, olivia, { ...NEW, channelNames: ['rust', 'design'] });
  await updateChannel(ctx, olivia, {
    channelId: ids[0] as number,
    isPrivate: true,
    groupSettings: {},
    hasNamedTopics: false,
  });
  expect(await groups()).toMatchObject([{ id, channelIds: [ids[1]] }]);
  const events = await publicEvents(ctx, olivia, 'default_stream_groups');
  expect(events.at(-1)?.event).toMatchObject({ default_stream_groups: [{ id, streams: [ids[1]] }] });
  const refusal = 'Private channels cannot be made default.';
  const added = changeDefaultChannelGroupChannels(ctx, olivia, { id, areAdded: true, channelNames: ['rust'] });
  await expect(added).rejects.toThrow(refusal);
  await expect(createDefaultChannelGroup(ctx, olivia, { ...NEW, name: 'Second' })).rejects.toThrow(refusal);
});

test('only administrators change sets', async () => {
  const member = await newUser(ctx, olivia);
  const { id } = await createDefaultChannelGroup(ctx, olivia, NEW);
  const outcomes = await Promise.allSettled([
    createDefaultChannelGroup(ctx, member, NEW),
    updateDefaultChannelGroup(ctx, member, { id, name: 'x' }),
    changeDefaultChannelGroupChannels(ctx, member, { id, areAdded: true, channelNames: [] }),
    removeDefaultChannelGroup(ctx, member, { id }),
  ]);
  const reason = expect.objectContaining({ message: 'Must be an organization administrator' });
  expect(outcomes).toEqual(Array(4).fill({ status: 'rejected', reason }));
});

describe('is refused', () => {
  test.each([
    ['no name', { name: ' ' }, "Invalid default channel group name ''"],
    ['a long name', { name: 'x'.repeat(61) }, 'Default channel group name too long (limit: 60 characters)'],
    ['a name that is taken', { name: 'Engineers' }, "Default channel group 'Engineers' already exists"],
    ['a channel that is not there', { channelNames: ['nowhere'] }, "Invalid channel name 'nowhere'"],
    [
      'a default channel',
      { channelNames: ['general'] },
      "'general' is a default channel and cannot be added to 'Second'",
    ],
  ])('%s', async (_what, over, message) => {
    await createDefaultChannelGroup(ctx, olivia, NEW);
    await expect(createDefaultChannelGroup(ctx, olivia, { ...NEW, name: 'Second', ...over })).rejects.toThrow(message);
  });

  test('a set of another organization, a change of nothing, and channels that are there, or not', async () => {
    const { id } = await createDefaultChannelGroup(ctx, olivia, NEW);
    const stranger = await newOrganization(ctx);
    const invalid = `Invalid default channel group ${id}`;
    await expect(removeDefaultChannelGroup(ctx, stranger, { id })).rejects.toThrow(invalid);
    await expect(updateDefaultChannelGroup(ctx, olivia, { id })).rejects.toThrow(
      'You must pass "new_description" or "new_group_name".',
    );
    const put = (areAdded: boolean, channelNames: string[]) =>
      changeDefaultChannelGroupChannels(ctx, olivia, { id, areAdded, channelNames });
    await expect(put(true, ['rust'])).rejects.toThrow(
      "Channel 'rust' is already present in default channel group 'Engineers'",
    );
    await expect(put(false, ['design'])).rejects.toThrow(
      "Channel 'design' is not present in default channel group 'Engineers'",
    );
  });
});
