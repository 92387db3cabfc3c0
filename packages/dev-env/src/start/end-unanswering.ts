import { setTimeout as sleep } from 'node:timers/promises';
import type { Running } from './supervise';

interface Asked<Server extends Running> {
  isAnswering(server: Server): Promise<boolean>;
  report(message: string): void;
  askEveryMs?: number;
}

const MAX_UNANSWERED = 3;

/** Ends a server that runs, but does not answer three times in a row, so that supervise() starts it again. Returns the server. */
export function endUnanswering<Server extends Running>(server: Server, asked: Asked<Server>): Server {
  void watch(server, asked);
  return server;
}

async function watch<Server extends Running>(
  server: Server,
  { isAnswering, report, askEveryMs = 10_000 }: Asked<Server>,
): Promise<void> {
  const over = new AbortController();
  void server.ended.then(() => over.abort());
  for (let unanswered = 0; unanswered < MAX_UNANSWERED; ) {
    await sleep(askEveryMs, undefined, { signal: over.signal }).catch(() => {});
    if (over.signal.aborted) return;
    unanswered = (await isAnswering(server)) ? 0 : unanswered + 1;
  }
  if (over.signal.aborted) return;
  report('runs, but does not answer; ending it');
  await server.stop();
}
