import path from 'node:path';
import { ms, print, ratio, runBench } from './base/command';
import { withServers } from './base/servers';
import { COUNTING_PLANS } from './operations/statement-counter';
import type { MeasuredRequest } from './requests/measure-request';
import { measureRequests } from './requests/measure-requests';

const size = (name: string, usual: number) => Number(process.env[name] ?? usual);
const PEOPLE = { users: size('USERS', 20_000), channels: size('CHANNELS', 2_000) };
const FEWER = { ...PEOPLE, messages: size('FEWER_MESSAGES', 100_000) };
const MORE = { ...PEOPLE, messages: size('MESSAGES', 1_000_000) };
/** Memory for the pages in use, as a database server of this size has, and few checkpoints while it is filled. */
const SETTINGS = ['shared_buffers=1GB', 'max_wal_size=16GB'];

/**
 * `npm run bench:growth`: the cost of the most used requests with 1,000,000 messages, compared with 100,000, in an organization
 * of 20,000 users and 2,000 channels. MESSAGES=10000000 FEWER_MESSAGES=1000000 compares other sizes, USERS and CHANNELS reduce
 * the organization; words after the command select requests. With KEPT_IN=<directory> both organizations stay there, and the next run
 * need not fill them again. Beside it are printed the CPU time of the bare request, whose growth is not Parley's, and the database's pages
 * that the statements read, which no other work of the machine changes.
 */
async function compare(): Promise<void> {
  const [fewer, more] = [await measureWith(FEWER), await measureWith(MORE)];
  print(`${'processor time with'.padEnd(58)} ${label(FEWER)} ${label(MORE)}    growth  bare   pages`);
  for (const [index, each] of more.entries()) {
    const before = fewer[index] as MeasuredRequest;
    const growth = `${ratio(each.cpuMs / before.cpuMs).padStart(9)}  ${ratio(each.bareMs / before.bareMs)}  ${ratio(each.pages / before.pages)}`;
    print(`  ${each.name.padEnd(56)} ${ms(before.cpuMs)} ${ms(each.cpuMs)} ${growth}`, '');
  }
}

async function measureWith(chosenSize: typeof MORE): Promise<MeasuredRequest[]> {
  let measured: MeasuredRequest[] = [];
  const keptIn = process.env['KEPT_IN'];
  await withServers(
    async (servers) => {
      measured = await measureRequests(servers, chosenSize);
    },
    [...COUNTING_PLANS, ...SETTINGS],
    keptIn && path.join(keptIn, String(chosenSize.messages)),
  );
  return measured;
}

const label = ({ messages }: typeof MORE) => String(messages).padStart(10);

runBench(compare);
