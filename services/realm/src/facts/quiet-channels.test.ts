import { change, newChannel } from '../../test/channels';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { newUser } from '../../test/examples';
import { publicEvents } from '../../test/public-events';
import { getChannel } from '../channel-access/get-channel';
import { listAgedChannels, setQuietChannels, wakeChannels } from './quiet-channels';

const DAY_MS = 24 * 3600 * 1000;

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

const activityEvents = async (capabilities: string[] = []) =>
  (await publicEvents(ctx, olivia, 'stream', capabilities)).filter(
    ({ event }) => event['property'] === 'is_recently_active',
  );
const set = (channelIds: number[], isQuiet: boolean) =>
  setQuietChannels(ctx, { realmId: olivia.realmId, channelIds, isQuiet });

describe('a channel without messages', () => {
  test('becomes quiet, which is announced once, also with concurrent calls', async () => {
    const channelId = await newChannel(ctx, olivia, 'old');
    await Promise.all([set([channelId], true), set([channelId], true)]);
    expect(await getChannel(ctx, olivia, { channelId })).toMatchObject({ isQuiet: true });
    expect(await activityEvents()).toEqual([
      {
        audience: expect.objectContaining({ to: 'realm' }),
        event: expect.objectContaining({ stream_id: channelId, name: 'old', value: false }),
      },
    ]);
  });

  test('becomes active with the next message, which is announced once', async () => {
    const channelId = await newChannel(ctx, olivia, 'old');
    await set([channelId], true);
    const woken = { id: '1', realmId: olivia.realmId, payload: { channelId } };
    await wakeChannels(ctx, [woken, { ...woken, id: '2' }]);
    await wakeChannels(ctx, [{ ...woken, id: '3' }]);
    expect((await getChannel(ctx, olivia, { channelId })).isQuiet).toBeUndefined();
    expect((await activityEvents()).map(({ event }) => event['value'])).toEqual([false, true]);
  });

  test('is announced to users who may see it, including clients that know archived channels', async () => {
    const settings = { isPrivate: true, isHistoryPublic: true };
    const zoe = await newUser(ctx, olivia);
    const privateId = await newChannel(ctx, olivia, 'private', { settings, subscriberIds: [zoe.userId] });
    const archivedId = await newChannel(ctx, olivia, 'archived');
    await change(ctx, olivia, archivedId, { isArchived: true });
    await set([privateId, archivedId], true);
    expect(await activityEvents()).toMatchObject([
      { audience: { to: 'subscribers', channelId: privateId, isPublic: false }, event: { value: false } },
    ]);
    expect(await activityEvents(['archived_channels'])).toHaveLength(2);
  });
});

test('channels that are old enough to be quiet are listed in pieces', async () => {
  const ids = [await newChannel(ctx, olivia, 'a'), await newChannel(ctx, olivia, 'b')];
  await set([ids[1] as number], true);
  const nowMs = ctx.clock.now();
  const list = async (createdBeforeMs: number, limit: number, channelId = 0) => {
    const after = { realmId: olivia.realmId, channelId, isQuiet: false };
    return (await listAgedChannels(ctx, { createdBeforeMs, limit, after })).channels;
  };
  expect((await list(nowMs + DAY_MS, 100, (ids[0] as number) - 1)).slice(0, 2)).toMatchObject(
    ids.map((channelId, index) => ({ channelId, isQuiet: index === 1 })),
  );
  expect(await list(nowMs + DAY_MS, 1, ids[0])).toMatchObject([{ channelId: ids[1] }]);
  expect((await list(nowMs - DAY_MS, 100)).filter(({ realmId }) => realmId === olivia.realmId)).toEqual([]);
  await expect(list(nowMs, 1_001)).rejects.toThrow('Too many channels');
});
