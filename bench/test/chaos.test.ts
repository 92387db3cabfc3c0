import { chooseFaults } from '../src/chaos/faults';
import { runChaos } from '../src/chaos/run-chaos';

const LIMIT_MS = 300_000;

test(
  'PostgreSQL crashes, the broker and a replica stand still: all promises hold, and nobody registers anew',
  async () => {
    const faults = chooseFaults(['postgres-kill', 'nats-pause', 'messages-pause']);
    const results = await runChaos({ faults, seed: 1, onResult() {} });
    expect(results.flatMap(({ broken }) => broken)).toEqual([]);
    expect(results.map(({ registeredAgain }) => registeredAgain)).toEqual(faults.map(() => 0));
  },
  LIMIT_MS,
);
