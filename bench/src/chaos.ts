import '@parley/shared/node-version';
import { parseArgs } from 'node:util';
import { inOneLine } from '@parley/operator/command/failures';
import { chooseFaults } from './chaos/faults';
import { presentBroken, presentHead, presentResult } from './chaos/present-chaos';
import { runChaos } from './chaos/run-chaos';

const USAGE = `Usage: npm run chaos -- [--only WORD[,WORD…]] [--seed 1]

Starts a deployment of its own, two replicas of each service and three of events, with PostgreSQL and NATS of its own. Under a
steady load it kills, pauses and restarts each in turn, and prints which promises held. WORD is a target (gateway, realm,
messages, events, invites, scheduler, postgres, nats), a way (kill, pause, restart), or both: nats-pause. The seed decides on the
order, and on the replica that is struck. Exit code 0 when everything held, else 1.
`;

/** `npm run chaos`. */
async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, seed: { type: 'string', default: '1' }, help: { type: 'boolean' } },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return true;
  }
  if (!/^\d{1,9}$/.test(values.seed)) throw new Error(`--seed must be a number (it is "${values.seed}")`);
  const faults = chooseFaults(values.only?.split(',') ?? []);
  process.stdout.write(presentHead());
  const onResult = (result: Parameters<typeof presentResult>[0]) => process.stdout.write(presentResult(result));
  const results = await runChaos({ faults, seed: Number(values.seed), onResult });
  process.stdout.write(presentBroken(results));
  return results.length === faults.length && results.every(({ broken }) => broken.length === 0);
}

main().then(
  (holds) => process.exit(holds ? 0 : 1),
  (error) => {
    process.stderr.write(`npm run chaos: ${inOneLine(error)}\n`);
    process.exit(1);
  },
);
