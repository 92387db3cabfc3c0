import { runBench } from './base/command';
import { withServers } from './base/servers';
import { COUNTING_PLANS } from './operations/statement-counter';
import { measureRequests } from './requests/measure-requests';

const SIZE = { users: 10_000, channels: 500, messages: Number(process.env['MESSAGES'] ?? 100_000) };

/**
 * `npm run bench:requests`: what the most used requests cost: processor time by process, calls between services, statements, bytes and
 * waiting, beside the bare request: one HTTP request, one call, one prepared statement, one JSON. Words after it choose the requests
 * whose names have one of them; STATEMENTS=true in front adds the dearest statements of each, MESSAGES=20000 makes it short.
 */
runBench(() => withServers(async (servers) => void (await measureRequests(servers, SIZE)), COUNTING_PLANS));
