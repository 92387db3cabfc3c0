import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { channelIds, join, newUser, type Person } from '../../test/examples';
import { changeOwnSubscriptions, listSubscriptions } from '../joining/subscribe';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

const change = (person: Person, added: string[], removedNames: string[]) =>
  changeOwnSubscriptions(ctx, person, {
    added: added.map((name) => ({ name, description: '', color: '' })),
    removedNames,
  });
const namesOf = async (person: Person) => {
  const nameOf = new Map(Object.entries(await channelIds(ctx, person)).map(([name, id]) => [id, name]));
  const { channels } = await listSubscriptions(ctx, person, {});
  return channels.map(({ channelId }) => nameOf.get(channelId));
};

test('new subscriptions come before ended ones', async () => {
  expect(await change(olivia, ['news', 'general'], ['general', 'sandbox', 'tips', 'news'])).toEqual({
    subscribed: {
      subscribed: [{ userId: olivia.userId, channelNames: ['news'] }],
      alreadySubscribed: [{ userId: olivia.userId, channelNames: ['general'] }],
      unauthorized: [],
      areNoticesSent: true,
    },
    unsubscribed: { removed: ['general', 'sandbox', 'tips', 'news'], notRemoved: [] },
  });
  expect(await namesOf(olivia)).toEqual([]);
});

test('all of it happens, or nothing', async () => {
  await expect(change(olivia, ['news'], ['nothing'])).rejects.toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' });
  expect(await namesOf(olivia)).toEqual(['general', 'sandbox', 'tips']);
});

test('something is to be done', async () => {
  await expect(change(olivia, [], [])).rejects.toThrow('Nothing to do. Specify at least one of "add" or "delete".');
});

test('a guest may leave, but not join', async () => {
  const guest = await newUser(ctx, olivia, { role: 600 });
  expect((await change(guest, [], ['general'])).unsubscribed?.removed).toEqual(['general']);
  await expect(change(guest, ['general'], [])).rejects.toThrow('Not allowed for guest users');
});

test('concurrent opposite changes do not deadlock', async () => {
  await join(ctx, olivia, ['a', 'b']);
  const [iago, zoe] = [await newUser(ctx, olivia), await newUser(ctx, olivia)];
  for (let round = 0; round < 5; round += 1) {
    await Promise.all([change(iago, ['a'], ['b']), change(zoe, ['b'], ['a'])]);
    await Promise.all([change(iago, ['b'], ['a']), change(zoe, ['a'], ['b'])]);
  }
  expect([await namesOf(iago), await namesOf(zoe)]).toEqual([
    ['general', 'sandbox', 'tips', 'b'],
    ['general', 'sandbox', 'tips', 'a'],
  ]);
});
