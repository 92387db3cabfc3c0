import type { User } from '@parley/shared/proto';
import { editRequest } from '../../test/edit-world';
import {
  callerOf,
  getRequest,
  idsOf,
  type MessagesUnderTest,
  startMessages,
  term,
  toChannel,
} from '../../test/start-messages';

const COUNT = 14;

let network: MessagesUnderTest;
let ann: User;
let sentIds: number[];

beforeAll(async () => {
  network = await startMessages();
  const { realm, client } = network;
  ann = realm.addUser('Ann');
  const lobby = realm.addChannel('Lobby');
  realm.subscribe(lobby, ann);
  // Each of these characters becomes about a hundred of HTML.
  const request = toChannel(lobby.id, 'large', '😀'.repeat(9_999));
  sentIds = [];
  for (let count = 0; count < COUNT; count += 1)
    sentIds.push((await client.sendMessage(callerOf(ann), request)).messageId);
});

afterAll(() => network.stop());

const ask = (facts: Parameters<typeof getRequest>[0]) =>
  network.client.getMessages(callerOf(ann), getRequest({ narrow: [term('topic', { text: 'large' })], ...facts }));

describe('of messages that are too large for one page', () => {
  test('those that are nearest to the anchor come, on both sides; the next page goes on from there', async () => {
    const newest = await ask({ anchorKind: 'newest', numBefore: 100 });
    expect(newest).toMatchObject({ foundOldest: false, foundNewest: true });
    expect(newest.messages.length).toBeGreaterThan(5);
    expect(idsOf(newest)).toEqual(sentIds.slice(-newest.messages.length));

    const anchor = idsOf(newest)[0] as number;
    const older = await ask({ anchor, includeAnchor: false, numBefore: 100 });
    expect(older).toMatchObject({ foundOldest: true });
    expect([...idsOf(older), ...idsOf(newest)]).toEqual(sentIds);

    const middle = sentIds[COUNT / 2] as number;
    const around = await ask({ anchor: middle, numBefore: 100, numAfter: 100 });
    expect(around).toMatchObject({ foundAnchor: true, foundOldest: false, foundNewest: false });
    const reach = (around.messages.length - 1) / 2;
    expect(idsOf(around).filter((id) => id < middle).length).toBe(Math.ceil(reach));
    expect(idsOf(around).filter((id) => id > middle).length).toBe(Math.floor(reach));
  });

  test('those that are named are not answered in part', async () => {
    const refusal = { code: 'BAD_REQUEST', message: 'These messages are too large to be requested together.' };
    await expect(ask({ messageIds: sentIds })).rejects.toMatchObject(refusal);
    expect(idsOf(await ask({ messageIds: sentIds.slice(0, 5) }))).toEqual(sentIds.slice(0, 5));
    const match = (messageIds: number[]) => network.client.matchNarrow(callerOf(ann), { messageIds, narrow: [] });
    await expect(match(sentIds)).rejects.toMatchObject(refusal);
    expect((await match(sentIds.slice(0, 5))).matches).toHaveLength(5);
  });

  test('earlier contents count only where the answer contains them', async () => {
    const edited = sentIds.slice(0, 4);
    for (const messageId of edited) {
      for (let left = 4; left > 0; left -= 1) {
        await network.client.editMessage(callerOf(ann), editRequest(messageId, { content: '😀'.repeat(9_990 + left) }));
      }
    }
    await expect(ask({ messageIds: edited })).rejects.toThrow('too large to be requested together');
    const { matches } = await network.client.matchNarrow(callerOf(ann), { messageIds: edited, narrow: [] });
    expect(matches.map(({ messageId }) => messageId)).toEqual(edited);
  });
});
