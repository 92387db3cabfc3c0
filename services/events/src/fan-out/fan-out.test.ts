import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PollReply } from '@parley/shared/proto';
import { silentLogger } from '@parley/shared/service';
import { OTHER_REALM, REALM } from '../../test/eg';
import { LogWindow } from '../log/log-window';
import { PendingPoll } from '../queues/pending-poll';
import type { Queue } from '../queues/queue';
import { FanOut } from './fan-out';

const RECORD = Buffer.alloc(1_000, ' ');
const RECORDS_HELD = 10;

/** Delivery that blocks at the first record, and what happens meanwhile. */
function stuckFanOut() {
  const window = new LogWindow(RECORDS_HELD * RECORD.length);
  const delivered: number[] = [];
  let goOn = () => {};
  const isFree = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const deliver = async (_parked: unknown, { seq }: { seq: number }) => {
    await isFree;
    delivered.push(seq);
  };
  const fanOut = new FanOut({ window, log: silentLogger, deliver });
  const take = (realmId: number, count: number) => {
    for (let index = 0; index < count; index += 1)
      fanOut.take(window.append(window.head + 1, realmId, 'message.sent', RECORD));
  };
  return { fanOut, delivered, take, goOn };
}

/** A pending poll, and the replies to it. */
function park(fanOut: FanOut, realmId: number): PollReply[] {
  const replies: PollReply[] = [];
  const poll = new PendingPoll(1, { write: (reply) => void replies.push(reply), forget: () => {} });
  const queue = { descriptor: { realmId, userId: 1, isWide: false } } as Queue;
  const parked = fanOut.parkedIn(realmId);
  parked.add(poll, queue);
  poll.unpark = () => parked.remove(poll, queue);
  return replies;
}

test('records that wait for facts are delivered in order once the facts arrive', async () => {
  const { fanOut, delivered, take, goOn } = stuckFanOut();
  const replies = park(fanOut, REALM);
  take(REALM, RECORDS_HELD);
  goOn();
  await fanOut.idle();
  expect(delivered).toEqual(Array.from({ length: RECORDS_HELD }, (_, index) => index + 1));
  expect(replies).toEqual([]);
});

test('no more waiting records are kept than fit into the window; polls that wait for more have to ask again', async () => {
  const { fanOut, delivered, take, goOn } = stuckFanOut();
  const [stuck, elsewhere] = [park(fanOut, REALM), park(fanOut, OTHER_REALM)];
  take(REALM, 3 * RECORDS_HELD);
  expect(stuck.map(({ eventsJson }) => eventsJson.toString())).toEqual(['[]']);
  expect(elsewhere).toEqual([]);
  const later = park(fanOut, REALM);
  take(REALM, 2);
  goOn();
  await fanOut.idle();
  await nextTurn();
  expect(delivered).toEqual([1, 31, 32]);
  expect(later).toEqual([]);
});
