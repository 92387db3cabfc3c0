import { silentLogger } from '@parley/shared/service';
import { createLateCards, type LinkingMessage } from './website-cards';

/** The started fetches, and functions that end them. */
function startLateCards() {
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  const cards = createLateCards(({ messageId }, signal) => {
    begun.push(messageId);
    return new Promise((resolve, reject) => {
      ends.set(messageId, resolve);
      signal.addEventListener('abort', () => reject(new Error('given up')));
    });
  }, silentLogger);
  const end = async (messageId: number) => {
    ends.get(messageId)?.();
    // The next one begins when this one's promise is settled.
    await new Promise(setImmediate);
  };
  return { cards, begun, end };
}

const message = (messageId: number, senderId: number): LinkingMessage => ({
  realmId: 1,
  senderId,
  messageId,
  urls: ['https://example.com/'],
});

test('messages of one sender wait for one another, and not for other senders’', async () => {
  const { cards, begun, end } = startLateCards();
  for (const [id, sender] of [
    [1, 7],
    [2, 7],
    [3, 8],
  ] as const)
    cards.want(message(id, sender));
  expect(begun).toEqual([1, 3]);
  await end(1);
  expect(begun).toEqual([1, 3, 2]);
  await cards.stop();
});

test('there is a bound on those underway and on those of a sender that wait', async () => {
  const { cards, begun, end } = startLateCards();
  for (let sender = 1; sender <= 20; sender += 1) cards.want(message(sender, sender));
  expect(begun).toHaveLength(16);
  for (let id = 100; id < 200; id += 1) cards.want(message(id, 1));
  for (let id = 1; id <= 20; id += 1) await end(id);
  for (let id = 100; id < 200; id += 1) await end(id);
  expect(begun.filter((id) => id >= 100)).toEqual(Array.from({ length: 20 }, (_, n) => 100 + n));
  await cards.stop();
});

test('nothing is begun without a page, nor once it is stopped', async () => {
  const { cards, begun } = startLateCards();
  cards.want({ ...message(1, 1), urls: [] });
  cards.want(message(2, 1));
  cards.want(message(3, 1));
  await cards.stop();
  cards.want(message(4, 2));
  expect(begun).toEqual([2]);
});
