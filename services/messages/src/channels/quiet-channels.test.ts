import { channelWoken } from '@parley/shared/events';
import type { AgedChannel, SetQuietChannelsRequest } from '@parley/shared/proto';
import { createFakeClock } from '@parley/shared/testing';
import { announcedBy } from '../../test/announced';
import { callerOf, type MessagesUnderTest, startMessages, toChannel } from '../../test/start-messages';
import type { Context } from '../context';
import { reviewQuietChannels } from './quiet-channels';

const clock = createFakeClock();

let network: MessagesUnderTest;
beforeAll(async () => {
  network = await startMessages({ clock });
});
afterAll(() => network.stop());

async function letPass(days: number): Promise<void> {
  await network.service.db.query("update message set sent_at = sent_at - $1 * interval '1 day'", [days]);
}

/** The requests to realm during a review of these channels. */
async function review(known: readonly AgedChannel[]): Promise<SetQuietChannelsRequest[]> {
  const reported: SetQuietChannelsRequest[] = [];
  const realm = {
    async listAgedChannels(_call: unknown, { after, limit }: { after?: AgedChannel; limit: number }) {
      const begin = after === undefined ? 0 : known.findIndex(({ channelId }) => channelId === after.channelId) + 1;
      return { channels: known.slice(begin, begin + limit) };
    },
    async setQuietChannels(_call: unknown, request: SetQuietChannelsRequest) {
      reported.push(request);
      return {};
    },
  };
  const services = { realm } as unknown as Context['services'];
  await reviewQuietChannels({ db: network.service.db, clock, services });
  return reported;
}

test('a review reports channels whose activity differs from realm’s', async () => {
  const { realm, client } = network;
  const ann = realm.addUser('Ann');
  const [empty, old, young, back] = ['Empty', 'Old', 'Young', 'Back'].map((name) => realm.addChannel(name).id) as [
    ...[number, number, number, number],
  ];
  const send = (channelId: number) => client.sendMessage(callerOf(ann), toChannel(channelId, 'tea', 'x'));
  for (const id of [old, back]) await send(id);
  await letPass(100);
  await send(young);
  await letPass(81);
  await send(back);
  const aged = (channelId: number, isQuiet: boolean) => ({ realmId: 1, channelId, isQuiet });
  expect(await review([aged(empty, false), aged(old, false), aged(young, false), aged(back, true)])).toEqual([
    { realmId: 1, channelIds: [empty, old], isQuiet: true },
    { realmId: 1, channelIds: [back], isQuiet: false },
  ]);
  expect(await review([aged(empty, true), aged(old, true), aged(young, false), aged(back, false)])).toEqual([]);
});

test('a review goes through any number of channels, in pieces, of every organization', async () => {
  const channels = Array.from({ length: 1_200 }, (_, index) => ({
    ...{ realmId: index < 700 ? 2 : 3, channelId: 10_000 + index, isQuiet: false },
  }));
  const reported = await review(channels);
  expect(reported.map(({ realmId, channelIds }) => [realmId, channelIds.length])).toEqual([
    [2, 500],
    [2, 200],
    [3, 300],
    [3, 200],
  ]);
});

test('a message in a quiet channel announces its activity; in other channels nothing is announced', async () => {
  const { realm, client } = network;
  const ann = realm.addUser('Ann');
  const [quiet, lively] = [realm.addChannel('Quiet', { isQuiet: true }), realm.addChannel('Lively')];
  const woken = await announcedBy(network.service.db, channelWoken, async () => {
    for (const { id } of [lively, quiet, lively]) await client.sendMessage(callerOf(ann), toChannel(id, 'tea', 'x'));
  });
  expect(woken).toEqual([{ channelId: quiet.id }]);
});
