import { runBench } from './base/command';
import { withServers } from './base/servers';
import { COUNTING_PLANS } from './operations/statement-counter';
import { measureRequests } from './requests/measure-requests';

const SIZE = { users: 10_000, channels: 500, messages: Number(process.env['MESSAGES'] ?? 100_000) };

/**
 * `npm run bench:requests`: the cost of the most used requests: CPU time by process, calls between services, statements, bytes
 * and duration, beside the bare request: one HTTP request, one call, one prepared statement, one JSON; and beside a chain of as many bare
 * calls and statements as Parley needs. Words after it select requests by name; STATEMENTS=true adds the most expensive statements of
 * each; for a short run: MESSAGES=20000.
 */
runBench(() => withServers(async (servers) => void (await measureRequests(servers, SIZE)), COUNTING_PLANS));
