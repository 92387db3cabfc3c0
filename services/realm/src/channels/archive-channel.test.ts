import type { NoticeAnnounced } from '@parley/shared/events';
import { change, newChannel, setRealm } from '../../test/channels';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { join, type Person } from '../../test/examples';
import { payloadsOf, publicEvents } from '../../test/public-events';
import { getChannel } from '../channel-access/get-channel';
import { loadRealmSettings } from '../organization/realms.sql';
import { createDefaultChannelGroup } from '../organization-lists/default-channel-groups';
import { listDefaultChannelGroups } from '../organization-lists/default-channel-groups.sql';
import { archiveChannel } from './archive-channel';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const iago = memberOfEachTest(ctx, olivia);
const zoe = memberOfEachTest(ctx, olivia);

const archive = (who: Person, channelId: number) => archiveChannel(ctx, who, { channelId });
const lastEvent = async (capabilities: string[]) =>
  (await publicEvents(ctx, olivia, 'stream', capabilities)).at(-1)?.event;

test('an archived channel keeps its settings and subscribers', async () => {
  const channelId = await newChannel(ctx, iago, 'old', { subscriberIds: [zoe.userId] });
  await archive(iago, channelId);
  expect(await getChannel(ctx, zoe, { channelId })).toMatchObject({
    name: 'old',
    isArchived: true,
    isPrivate: false,
    subscriberCount: 1,
  });
  await expect(join(ctx, iago, ['old'])).rejects.toThrow('Unable to access channel (old).');
  await expect(newChannel(ctx, iago, 'old')).rejects.toMatchObject({ code: 'CHANNEL_ALREADY_EXISTS' });
});

test('it comes back by an update, which may change more of it', async () => {
  const channelId = await newChannel(ctx, iago, 'old');
  await expect(change(ctx, iago, channelId, { isArchived: false })).rejects.toThrow(
    'Channel is not currently deactivated',
  );
  await change(ctx, iago, channelId, { isArchived: true });
  await expect(archive(iago, channelId)).rejects.toThrow('Channel is already deactivated');
  await change(ctx, iago, channelId, { isArchived: false, newName: 'young' });
  expect(await getChannel(ctx, iago, { channelId })).toMatchObject({ name: 'young', isArchived: false });
});

test('a private channel without subscribers does not come back', async () => {
  const channelId = await newChannel(ctx, iago, 'old', { settings: { isPrivate: true } });
  await archive(iago, channelId);
  await expect(change(ctx, iago, channelId, { isArchived: false })).rejects.toThrow(
    'Channel is private and have no subscribers',
  );
});

test('only its administrators archive it', async () => {
  const open = await newChannel(ctx, iago, 'open');
  const closed = await newChannel(ctx, iago, 'closed', { settings: { isPrivate: true } });
  await expect(archive(zoe, open)).rejects.toMatchObject({ code: 'CANNOT_ADMINISTER_CHANNEL' });
  await expect(archive(zoe, closed)).rejects.toThrow('Invalid channel ID');
  await archive(olivia, closed);
});

test('clients that know archived channels get the change, others the removal or return of the channel', async () => {
  const channelId = await newChannel(ctx, iago, 'old');
  const update = { type: 'stream', op: 'update', property: 'is_archived', stream_id: channelId, name: 'old' };
  await archive(iago, channelId);
  expect(await lastEvent(['archived_channels'])).toEqual({ ...update, value: true });
  expect(await lastEvent([])).toMatchObject({ op: 'delete', stream_ids: [channelId] });
  await change(ctx, iago, channelId, { description: 'About' });
  expect(await lastEvent(['archived_channels'])).toMatchObject({ property: 'description' });
  expect(await lastEvent([])).toMatchObject({ op: 'delete' });
  await change(ctx, iago, channelId, { isArchived: false });
  expect(await lastEvent(['archived_channels'])).toEqual({ ...update, value: false });
  expect(await lastEvent([])).toMatchObject({ op: 'create', streams: [{ stream_id: channelId, is_archived: false }] });
});

test('settings of the organization do not refer to it any longer', async () => {
  const channelId = await newChannel(ctx, olivia, 'old');
  await createDefaultChannelGroup(ctx, olivia, { name: 'New here', description: '', channelNames: ['old'] });
  await change(ctx, olivia, channelId, { isDefault: true });
  await setRealm(ctx, olivia, { new_stream_announcements_stream_id: channelId });
  await archive(olivia, channelId);
  const lastOf = async (type: string) => (await publicEvents(ctx, olivia, type)).at(-1)?.event;
  expect((await lastOf('default_streams'))?.['default_streams']).not.toContain(channelId);
  expect(await lastOf('default_stream_groups')).toMatchObject({ default_stream_groups: [{ streams: [] }] });
  expect(await lastOf('realm')).toMatchObject({ op: 'update_dict', data: { new_stream_announcements_stream_id: -1 } });
  expect(await listDefaultChannelGroups(ctx.db, olivia.realmId)).toMatchObject([{ channelIds: [] }]);
  expect(await loadRealmSettings(ctx.db, olivia.realmId)).toMatchObject({ new_stream_announcements_stream_id: -1 });
  await expect(change(ctx, olivia, channelId, { isDefault: true })).rejects.toThrow('Invalid channel ID');
});

test('the notification bot announces both', async () => {
  const channelId = await newChannel(ctx, iago, 'old');
  await setRealm(ctx, olivia, { send_channel_events_messages: true });
  await archive(iago, channelId);
  await change(ctx, iago, channelId, { isArchived: false });
  const notices = await payloadsOf<NoticeAnnounced>(ctx, olivia, 'notice.announced');
  expect(notices.slice(-2).map(({ content }) => content)).toEqual([
    'Channel **old** has been archived.',
    'Channel **old** un-archived.',
  ]);
});
