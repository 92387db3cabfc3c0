import { ms, print, ratio, row, runBench } from './base/command';
import { type Servers, withServers } from './base/servers';
import { type DueMessages, startDueMessages } from './scheduler/due-messages';
import { ordinarySends } from './scheduler/ordinary-sends';
import { measurePushes } from './scheduler/pushes';
import { measureWildcards } from './scheduler/wildcards';

const DUE = Number(process.env['DUE'] ?? 10_000);
const ALONE_MS = 5_000;
/** Subscribers of a channel who are mentioned by one message. */
const MENTIONED = Number(process.env['MENTIONED'] ?? 10_000);
/** People with a phone each who are mentioned by one message. */
const PHONES = Number(process.env['PHONES'] ?? 10_000);
/** Ordinary users continue to send for a while after the last one is sent. */
const MEASURE_MS = 1_000 + 3 * DUE;

/**
 * `npm run bench:scheduler`: thousands of messages due in the same second, and their effect on other users; and thousands of people who
 * are mentioned by one message, by mail and on phones. For a short run: DUE=1000 MENTIONED=1000 PHONES=1000; 0 leaves that part out.
 */
async function measureDue(servers: Servers): Promise<void> {
  const due = await startDueMessages(servers);
  try {
    print('Scheduled messages');
    await due.schedule(1, 2_000);
    printLateness('one that is due alone', await due.untilSent(1), 1);
    const alone = await ordinarySends(due, ALONE_MS);
    await due.schedule(DUE, 3_000);
    await due.untilDue();
    const [during, lateness] = await Promise.all([ordinarySends(due, MEASURE_MS), due.untilSent(DUE)]);
    printLateness(`${DUE} that are due in the same second`, lateness, DUE);
    print('Sends of other users meanwhile', '');
    row('alone', alone);
    row('while those are sent', during, `${(during.p99Ms / alone.p99Ms).toFixed(1)} × the p99 of alone`);
  } finally {
    await due.stop();
  }
}

type Lateness = Awaited<ReturnType<DueMessages['untilSent']>>;

function printLateness(name: string, { p50Ms, p99Ms, lastMs }: Lateness, count: number): void {
  row(
    name,
    { durationsMs: [], perSecond: count / (lastMs / 1_000), p50Ms, p99Ms },
    `the last after ${Math.round(lastMs)} ms`,
  );
}

async function measureMentioned(servers: Servers): Promise<void> {
  const { many, sendMs, told, storedMs } = await measureWildcards(servers, MENTIONED);
  print('A message that mentions everybody');
  print(`  send, 10 subscribers ${ms(sendMs.few)}`, '');
  print(`  send, ${many} subscribers ${ms(sendMs.many)}  ${ratio(sendMs.many / sendMs.few)} (at most 1.2 ×)`, '');
  print(`  until ${told} people are to get a mail ${ms(storedMs)}  (at most 10 s)`, '');
}

async function measurePhones(servers: Servers): Promise<void> {
  const { devices, firstMs, lastMs } = await measurePushes(servers, PHONES);
  print('A message that notifies phones');
  print(`  until the first of ${devices} phones is notified ${ms(firstMs)}`, '');
  print(`  until the last one is ${ms(lastMs)}  (${Math.round(devices / (lastMs / 1_000))} per second)`, '');
}

runBench(async () => {
  if (DUE > 0) await withServers(measureDue);
  if (MENTIONED > 0) await withServers(measureMentioned);
  if (PHONES > 0) await withServers(measurePhones);
});
