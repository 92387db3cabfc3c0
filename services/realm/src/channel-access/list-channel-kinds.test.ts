import { change, newChannel } from '../../test/channels';
import { contextOfTests } from '../../test/each-test';
import { join, newOrganization } from '../../test/examples';
import { listChannelKinds } from './get-channel';

const ctx = contextOfTests();

test('reading rights come with the channels’ present subscriber versions', async () => {
  const olivia = await newOrganization(ctx);
  const [open, closed] = [await newChannel(ctx, olivia, 'open'), await newChannel(ctx, olivia, 'closed')];
  const { channels: made } = await listChannelKinds(ctx, { realmId: olivia.realmId, channelIds: [open] });
  const before = made[0]?.subscriptionVersion as number;
  await join(ctx, olivia, ['open']);
  await change(ctx, olivia, closed, { isPrivate: true, isHistoryPublic: false });
  const channelIds = [closed, open, 2 ** 40, 2 ** 63];
  const { channels } = await listChannelKinds(ctx, { realmId: olivia.realmId, channelIds });
  expect(channels).toEqual([
    { id: open, subscriptionVersion: before + 1, isPrivate: false, isWebPublic: false, isHistoryPublic: true },
    {
      id: closed,
      subscriptionVersion: expect.any(Number),
      isPrivate: true,
      isWebPublic: false,
      isHistoryPublic: false,
    },
  ]);
  const stranger = await newOrganization(ctx);
  expect(await listChannelKinds(ctx, { realmId: stranger.realmId, channelIds: [open] })).toEqual({ channels: [] });
});
