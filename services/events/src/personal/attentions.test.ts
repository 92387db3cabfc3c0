import type { Attention } from '@parley/shared/proto';
import { silentLogger } from '@parley/shared/service';
import { Attentions } from './attentions';

const USER = { realmId: 1, userId: 7 };
const NOTHING: Attention = { alertWords: [], mutedUserIds: [], isGuest: false, isRestricted: false, knownUserIds: [] };
const words = (...all: string[]) => all.map((word) => ({ word, addedAtMs: 0 }));

/** A realm that answers on command. */
function slowRealm() {
  const answers: ((attention: Attention) => void)[] = [];
  const getAttentions = () =>
    new Promise<{ attentions: Attention[] }>((resolve) => {
      answers.push((attention) => resolve({ attentions: [attention] }));
    });
  const stopping = new AbortController();
  const attentions = new Attentions({ realm: { getAttentions }, log: silentLogger, stopping: stopping.signal });
  const answer = async (attention: Attention) => {
    while (answers.length === 0) await new Promise(setImmediate);
    answers.shift()?.(attention);
  };
  return { attentions, answer };
}

test('an event that arrives during a request to realm wins over the response', async () => {
  const { attentions, answer } = slowRealm();
  const asked = attentions.of(USER);
  attentions.changeAlertWords(1, { userId: 7, alertWords: words('new') });
  attentions.changeMutedUsers(1, { userId: 7, mutedUserId: 8, isMuted: false, mutedUsers: [] }, 100);
  await answer({ ...NOTHING, alertWords: words('old'), mutedUserIds: [8] });
  const { alertWords, hasMuted } = (await asked).at(200);
  expect([alertWords, hasMuted(8)]).toEqual([words('new'), false]);
  expect((await asked).at(50).hasMuted(8)).toBe(true);
});

test('a user is loaded once, until they have no queues here or events were missed', async () => {
  const { attentions, answer } = slowRealm();
  const [first, second] = [attentions.of(USER), attentions.of(USER)];
  await answer(NOTHING);
  expect(await first).toBe(await second);
  attentions.keepOnly([USER]);
  expect(await attentions.of(USER)).toBe(await first);
  for (const forget of [() => attentions.keepOnly([]), () => attentions.forgetAll()]) {
    forget();
    const anew = attentions.of(USER);
    await answer({ ...NOTHING, alertWords: words('lunch'), mutedUserIds: [] });
    expect((await anew).at(0).alertWords).toEqual(words('lunch'));
  }
});

test('a response to a request made before events were missed is not cached', async () => {
  const { attentions, answer } = slowRealm();
  const before = attentions.of(USER);
  attentions.forgetAll();
  await answer({ ...NOTHING, alertWords: words('old'), mutedUserIds: [] });
  await before;
  const anew = attentions.of(USER);
  await answer({ ...NOTHING, alertWords: words('new'), mutedUserIds: [] });
  expect((await anew).at(0).alertWords).toEqual(words('new'));
});

test('guests see the users in realm’s response, and those met since, also during the request', async () => {
  const { attentions, answer } = slowRealm();
  const asked = attentions.of(USER);
  attentions.changeKnown(1, [6, 7], 21, true);
  attentions.changeKnown(1, [7], 22, false);
  await answer({ ...NOTHING, isRestricted: true, knownUserIds: [7, 22, 23] });
  const attention = await asked;
  const known = () => [7, 20, 21, 22, 23].filter((userId) => attention.knows(userId));
  expect(known()).toEqual([7, 21, 23]);
  attentions.changeKnown(1, [7], 20, true);
  attentions.changeKnown(1, [7], 23, false);
  expect(known()).toEqual([7, 20, 21]);
});

test('users who are not guests see everybody', async () => {
  const { attentions, answer } = slowRealm();
  const asked = attentions.of(USER);
  await answer(NOTHING);
  const attention = await asked;
  expect([attention.knows(21), attention.isSelective]).toEqual([true, false]);
});

test('users are loaded in batches that fit into a response, even for guests with access to all users', async () => {
  const asked: number[] = [];
  const getAttentions = async (_call: unknown, { users }: { users: unknown[] }) => {
    asked.push(users.length);
    return { attentions: users.map(() => NOTHING) };
  };
  const { signal } = new AbortController();
  const attentions = new Attentions({ realm: { getAttentions }, log: silentLogger, stopping: signal });
  await Promise.all(Array.from({ length: 250 }, (_, userId) => attentions.of({ realmId: 1, userId })));
  expect(asked.reduce((sum, count) => sum + count)).toBe(250);
  expect(Math.max(...asked)).toBeLessThanOrEqual(100);
});
