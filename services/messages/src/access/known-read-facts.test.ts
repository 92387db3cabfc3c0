import type { GetReadFactsRequest, ReadFacts } from '@parley/shared/proto';
import { type Caller, newCall } from '@parley/shared/rpc';
import { createFakeClock } from '@parley/shared/testing';
import { KnownReadFacts } from './known-read-facts';

const caller = { ...newCall(), realmId: 1, userId: 7 };

/** The channel that the caller is subscribed to. */
const OWN_ID = 4;

/** A realm whose facts have a version that tests change; it answers as realm does. */
function realmAt(start: string) {
  const realm = {
    version: start,
    asked: [] as GetReadFactsRequest[],
    getReadFacts: async (_caller: unknown, request: GetReadFactsRequest) => {
      realm.asked.push(request);
      const [version, usersVersion] = [realm.version, `users of ${realm.version}`];
      const isKnown = request.knownVersion === version;
      const mutedUserIds = isKnown ? [] : [version.length];
      const { ids = [], withOwn = true } = request.channels ?? {};
      const channelIds = isKnown ? [] : new Set([...ids, ...(withOwn ? [OWN_ID] : [])]);
      const channels = [...channelIds].map((channelId) => ({ channelId, intervals: channelId === OWN_ID ? [{}] : [] }));
      return { mutedUserIds, channels, version, usersVersion, ...(isKnown && { isKnown }) } as unknown as ReadFacts;
    },
  };
  return realm;
}

test('facts are loaded once for a version, for each reader and each set of channels', async () => {
  const realm = realmAt('a');
  const known = new KnownReadFacts(realm, createFakeClock());
  const first = await known.load(caller, { ids: [5] });
  expect(await known.load(caller, { ids: [5] })).toEqual(first);
  await known.load(caller, { ids: [6] });
  await known.load(caller, { ids: [5], withOwn: true });
  await known.load(caller);
  await known.load({ ...caller, userId: 8 }, { ids: [5] });
  expect(realm.asked.map(({ knownVersion }) => knownVersion)).toEqual([
    undefined,
    'a',
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('facts about all own channels suffice for each of them, not for others', async () => {
  const realm = realmAt('a');
  const known = new KnownReadFacts(realm, createFakeClock());
  const own = await known.load(caller, { ids: [OWN_ID], withOwn: true });
  expect(await known.load(caller, { ids: [], withOwn: true })).toEqual(own);
  expect(await known.load(caller, { ids: [OWN_ID] })).toEqual(own);
  const browsed = await known.load(caller, { ids: [OWN_ID, 5], withOwn: true });
  expect(browsed.channels.map(({ channelId }) => channelId)).toEqual([OWN_ID, 5]);
  expect(await known.load(caller, { ids: [OWN_ID], withOwn: true })).toEqual(own);
  expect(realm.asked.map(({ knownVersion }) => knownVersion)).toEqual([undefined, 'a', 'a', undefined, 'a']);

  realm.version = 'b';
  const channels = { ids: [OWN_ID] };
  await known.load(caller, channels);
  await known.load(caller, channels);
  expect(await known.load(caller, { ids: [], withOwn: true })).toMatchObject({ usersVersion: 'users of b' });
  expect(realm.asked.slice(-3)).toEqual([
    { channels, knownVersion: 'a' },
    { channels, knownVersion: 'b' },
    { channels: { ids: [], withOwn: true }, knownVersion: 'a' },
  ]);
});

test('facts of another version replace them, and the version of accounts is that of the request', async () => {
  const realm = realmAt('a');
  const known = new KnownReadFacts(realm, createFakeClock());
  await known.load(caller);
  realm.version = 'bb';
  const facts = { mutedUserIds: [2], usersVersion: 'users of bb' };
  expect(await known.load(caller)).toMatchObject(facts);
  expect(await known.load(caller)).toMatchObject(facts);
  expect(realm.asked.map(({ knownVersion }) => knownVersion)).toEqual([undefined, 'a', 'bb']);
});

test('a question that may be leased confirms the credential of the call, whatever else is confirmed meanwhile', async () => {
  const { getReadFacts } = realmAt('a');
  const asking: Caller[] = [];
  const realm = {
    getReadFacts: async (call: Caller, request: GetReadFactsRequest) => {
      asking.push(call);
      return getReadFacts(call, request);
    },
  };
  const credential = { apiKeyId: 3, email: 'ann@example.com', isConfirmed: false };
  const calling = { ...caller, credential };
  const question = { caller: { ...caller, credential: { ...credential } }, keep: () => {} };
  const known = new KnownReadFacts(realm as never, createFakeClock(), { recall: () => undefined, ask: () => question });
  await known.load(caller);
  await known.load(calling);
  expect(asking[1]).toBe(question.caller);
  expect(credential.isConfirmed).toBe(true);
});

test('a realm of the previous release sends no version: nothing is cached', async () => {
  const asked: GetReadFactsRequest[] = [];
  const getReadFacts = async (_caller: unknown, request: GetReadFactsRequest) => {
    asked.push(request);
    return { mutedUserIds: [], channels: [] } as unknown as ReadFacts;
  };
  const known = new KnownReadFacts({ getReadFacts } as never, createFakeClock());
  await known.load(caller);
  await known.load(caller);
  expect(asked).toEqual([{}, {}]);
});
