import { createFakeClock, until } from '@parley/shared/testing';
import { CHANNEL, channelMessage, REALM, subscriber } from './eg';
import { contents, Network, type Pod, type TestQueue } from './network';

const LONGEST_MS = 50;
/** More answers than needed for the longest pause, at once. */
const [BUSY_QUEUES, ANSWERS_OF_EACH] = [20, 60] as const;

let network: Network;
let pod: Pod;
let queue: TestQueue;
const clock = createFakeClock();

beforeEach(async () => {
  network = await new Network({ pauseClock: clock }).start();
  network.realm.knows(REALM, CHANNEL, 1, [subscriber(1, 1), subscriber(2, 1)]);
  pod = await network.startPod();
  queue = await pod.register(1);
});
afterEach(() => network.stop());

const send = (content: string) => network.publishMessages(channelMessage({ content }));

/** The pod answers many polls of another user. */
async function makeBusy(): Promise<void> {
  const others = await Promise.all(Array.from({ length: BUSY_QUEUES }, () => pod.register(2)));
  await send('one');
  await network.settle();
  for (let count = 0; count < ANSWERS_OF_EACH; count += 1) {
    await Promise.all(others.map((other) => pod.polls.poll({ ...other.question, dontBlock: true })));
  }
}

/** The client has just got its first event, and polls again. */
async function pollAgain() {
  expect(contents(await pod.poll(queue))).toEqual(['one']);
  const next = pod.poll(queue);
  let isAnswered = false;
  const note = () => {
    isAnswered = true;
  };
  void next.then(note, note);
  return { next, isAnswered: () => isAnswered };
}

/** The pod has read the log, and handled the polls received before. */
async function untilSeen(content: string): Promise<void> {
  const witness = await pod.register(2);
  await send(content);
  await until(async () => (await pod.polls.poll({ ...witness.question, dontBlock: true })).length > 0);
}

test('after quiet the first event is delivered at once, and so are the next ones of a pod that has little to do', async () => {
  for (const content of ['one', 'two', 'three']) {
    const waiting = pod.poll(queue);
    await pod.parked(1);
    await send(content);
    expect(contents(await waiting)).toEqual([content]);
  }
});

test('on a busy pod a client that was just answered gets one answer for all events of a short pause, in order', async () => {
  await makeBusy();
  const { next, isAnswered } = await pollAgain();
  for (const content of ['two', 'three']) await send(content);
  await untilSeen('four');
  clock.advance(LONGEST_MS - 5);
  await untilSeen('five');
  expect(isAnswered()).toBe(false);
  clock.advance(5);
  expect(contents(await next)).toEqual(['two', 'three', 'four', 'five']);
});

test('after a pause without events the next event is delivered at once', async () => {
  await makeBusy();
  const { next } = await pollAgain();
  await until(() => {
    clock.advance(LONGEST_MS);
    return pod.service.counters.parkedPolls === 1;
  });
  await send('two');
  expect(contents(await next)).toEqual(['two']);
});

test('neither a poll that does not block is delayed, nor the first one of a queue', async () => {
  await makeBusy();
  const { next } = await pollAgain();
  await untilSeen('two');
  const other = await pod.register(1);
  await send('three');
  expect(contents(await pod.poll(other))).toEqual(['three']);
  expect(contents(await pod.poll(queue, true))).toEqual(['two', 'three']);
  expect(await next).toEqual([]);
});

test('a client that hangs up during the pause gets its events by its next poll', async () => {
  await makeBusy();
  await pod.poll(queue);
  pod.polls.withdraw(pod.polls.poll(queue.question).pollId);
  await untilSeen('two');
  clock.advance(LONGEST_MS);
  expect(contents(await pod.poll(queue))).toEqual(['two']);
  expect(pod.service.counters.parkedPolls).toBe(0);
});

test('of a pod that stops, clients that pause go on at another one, which answers at once', async () => {
  await makeBusy();
  const { next } = await pollAgain();
  await untilSeen('two');
  const other = await network.startPod();
  await pod.stop();
  network.pods.shift();
  await expect(next).rejects.toThrow('the stream ended');
  expect(contents(await other.poll(queue))).toEqual(['two']);
});
