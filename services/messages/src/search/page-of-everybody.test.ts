import type { User } from '@parley/shared/proto';
import { connectRpc } from '@parley/shared/rpc';
import { systemClock } from '@parley/shared/values';
import {
  callerOf,
  getRequest,
  idsOf,
  type MessagesUnderTest,
  startMessages,
  toChannel,
  toUsers,
} from '../../test/start-messages';
import { KnownReadFacts } from '../access/known-read-facts';
import { loadReader } from '../access/load-reader';
import type { Reader } from '../access/permissions';
import { EVERYTHING } from '../narrows/narrow';
import { NEWEST, wantedPage } from './find-around';
import { lookAround } from './page-of-everybody';

let network: MessagesUnderTest;
let ann: User;
let reader: Reader;
/** Of the messages that Ann received, and of the others. */
let receivedIds: number[];
let otherIds: number[];

beforeAll(async () => {
  network = await startMessages();
  const { realm, client } = network;
  const [bob, cid] = [realm.addUser('Bob'), realm.addUser('Cid')];
  ann = realm.addUser('Ann');
  const [lobby, left, foreign] = ['Lobby', 'Left', 'Foreign'].map((name) => realm.addChannel(name));
  if (!lobby || !left || !foreign) throw new Error('there is no channel');
  realm.subscribe(lobby, ann, bob);
  realm.subscribe(left, ann, bob);
  realm.subscribe(foreign, bob);
  const send = async (request: Parameters<typeof client.sendMessage>[1]) =>
    (await client.sendMessage(callerOf(bob), request)).messageId;
  const toOthers = [toUsers([cid], 'secret'), toChannel(foreign.id, 'tea', 'secret')];
  const toAnn = [toChannel(lobby.id, 'tea', 'x'), toUsers([ann], 'x'), toChannel(left.id, 'tea', 'x')];
  [receivedIds, otherIds] = [[], []];
  for (let round = 0; round < 12; round += 1) {
    for (const request of toAnn) receivedIds.push(await send(request));
    for (const request of toOthers) otherIds.push(await send(request));
  }
  const { client: realmClient, close } = connectRpc('realm', realm.address);
  reader = await loadReader({ readFacts: new KnownReadFacts(realmClient, systemClock) }, callerOf(ann));
  close();
});
afterAll(() => network.stop());

const around = { anchor: NEWEST, numBefore: 10, numAfter: 0, includeAnchor: true };

async function look(page: typeof around, perWanted: number, by = reader) {
  const wanted = wantedPage(page, { reader: by }, page.anchor);
  const { page: found, share } = await lookAround(
    network.service.db,
    { reader: by, narrow: EVERYTHING },
    wanted,
    perWanted,
  );
  return { share, ids: found?.rows.map(({ id }) => id) };
}

test('of everybody’s messages, those that the reader received are kept: no direct messages of others', async () => {
  const newest = await look(around, 2);
  expect(newest).toEqual({ ids: receivedIds.slice(-10), share: 12 / 22 });
  const anchor = receivedIds[18] as number;
  const both = { anchor, numBefore: 8, numAfter: 9, includeAnchor: true };
  expect((await look(both, 2)).ids).toEqual(receivedIds.slice(10, 28));
  expect((await look({ ...both, numBefore: 0, includeAnchor: false }, 2)).ids).toEqual(receivedIds.slice(19, 28));
});

test('an anchor of others is not in the page, and counts as none of it', async () => {
  const anchor = otherIds.find((id) => id > (receivedIds[17] as number)) as number;
  const page = await look({ anchor, numBefore: 8, numAfter: 9, includeAnchor: true }, 2);
  expect(page.ids).toEqual(receivedIds.slice(10, 27));
});

test('there is no page where too few of them are the reader’s, on either side', async () => {
  expect((await look(around, 1)).ids).toBeUndefined();
  const both = { anchor: receivedIds[3] as number, numBefore: 3, numAfter: 10, includeAnchor: false };
  expect((await look(both, 1.2)).ids).toBeUndefined();
});

test('at the ends of all messages, a page has what there is', async () => {
  expect((await look({ ...around, numBefore: 200 }, 1.25)).ids).toEqual(receivedIds);
  const first = { anchor: receivedIds[2] as number, numBefore: 9, numAfter: 2, includeAnchor: true };
  expect((await look(first, 2)).ids).toEqual(receivedIds.slice(0, 5));
});

test('a right that is lost meanwhile counts', async () => {
  const withoutLobby = new Map([...reader.channels].filter(([, { name }]) => name !== 'Lobby'));
  const { ids } = await look({ ...around, numBefore: 200 }, 1.25, { ...reader, channels: withoutLobby });
  expect(ids).toEqual(receivedIds.filter((_, nth) => nth % 3 !== 0));
});

test('pages of a client are the same from the first one on', async () => {
  const ask = async () =>
    idsOf(
      await network.client.getMessages(callerOf(ann), getRequest({ anchorKind: 'newest', numBefore: 10, narrow: [] })),
    );
  for (let page = 0; page < 3; page += 1) expect(await ask()).toEqual(receivedIds.slice(-10));
});
