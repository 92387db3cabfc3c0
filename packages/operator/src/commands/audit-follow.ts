import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceUnavailableError } from '@parley/shared/errors';
import { deliverNew, type Following } from '../audit-stream/follow';
import { post, receiverUrl } from '../audit-stream/http-receiver';
import { readPositions, writePositions } from '../audit-stream/positions';
import { command, type Terminal } from '../command/command';
import { operatedRealm } from '../command/operated';
import { decision, file, realm, text } from '../command/options';
import type { OperatorConfig } from '../config';

const PAUSE_MS = 2_000;
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Runs until it is stopped, so it can be a container's program. */
export const auditFollow = command({
  services: ['realm'],
  summary:
    'delivers entries of all audit logs, or of one, as lines of JSON as they are recorded, each at least once: to standard output, or to a receiver; goes on behind the positions in the file',
  options: {
    realm: realm.optional(),
    to: text('https://…').optional(),
    'position-file': file('FILE').optional(),
    'until-current': decision().optional(),
  },
  examples: [
    '--realm acme',
    '--to https://siem.example.com/parley --position-file /data/audit-positions.json',
    '--position-file positions.json --until-current yes',
  ],
  async run({ realm: service }, options, { terminal, config }) {
    const { realm: subdomain, to, 'position-file': positionFile, 'until-current': isOnce = false } = options;
    const realmId = subdomain === undefined ? undefined : await idOf(service, subdomain);
    const positions = await readPositions(positionFile);
    // Where they cannot be written, each start would deliver everything again.
    await writePositions(positionFile, positions);
    const delivered = await untilSignal((stopping) => {
      const deliver = to === undefined ? terminal.print : receiverOf(to, config, stopping);
      return follow({ service, realmId, positions, positionFile, deliver, stopping }, isOnce, terminal);
    });
    return to === undefined ? '' : { delivered };
  },
});

function receiverOf(to: string, { AUDIT_STREAM_AUTHORIZATION: authorization }: OperatorConfig, stopping: AbortSignal) {
  const receiver = { url: receiverUrl(to), authorization, stopping };
  return (lines: string) => post(receiver, lines);
}

async function idOf(service: Parameters<typeof operatedRealm>[0], subdomain: string): Promise<number> {
  return (await operatedRealm(service, { realm: subdomain })).organization.id;
}

/** Waits while the service is unreachable, for instance during an upgrade. */
async function follow(following: Following, isOnce: boolean, { say }: Terminal): Promise<number> {
  for (let total = 0; ; ) {
    try {
      total += await deliverNew(following);
      say(`${total} delivered`);
      if (isOnce) return total;
    } catch (error) {
      if (following.stopping.aborted) return total;
      if (isOnce || !(error instanceof ServiceUnavailableError)) throw error;
      say('the realm service does not answer');
    }
    if (following.stopping.aborted) return total;
    await sleep(PAUSE_MS, undefined, { signal: following.stopping }).catch(() => {});
  }
}

async function untilSignal<Result>(work: (stopping: AbortSignal) => Promise<Result>): Promise<Result> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    return await work(stopping.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}
