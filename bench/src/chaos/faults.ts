import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICES, type ServiceName } from '@parley/dev-env';
import type { Chance } from '../base/chance';
import type { ChaosNetwork } from './chaos-network';

/** SIGKILL and a new start; SIGSTOP and SIGCONT; SIGTERM and a new start. */
export const WAYS = ['kill', 'pause', 'restart'] as const;
export const TARGETS = [...SERVICES, 'postgres', 'nats'] as const;

type Way = (typeof WAYS)[number];
type Target = (typeof TARGETS)[number];

export interface Fault {
  target: Target;
  way: Way;
}

const DOWN_MS = 1_500;
const PAUSE_MS = 4_000;

/** All faults, or those named by a word: a target, a way, or both as in `nats-pause`. Throws for an unknown word. */
export function chooseFaults(only: readonly string[]): Fault[] {
  const all = TARGETS.flatMap((target) => WAYS.map((way) => ({ target, way })));
  const isMeant = ({ target, way }: Fault, word: string) => [target, way, `${target}-${way}`].includes(word);
  const unknown = only.find((word) => !all.some((fault) => isMeant(fault, word)));
  if (unknown !== undefined) {
    throw new Error(
      `there is no fault "${unknown}": ${TARGETS.join(', ')}; ${WAYS.join(', ')}; or both, as nats-pause`,
    );
  }
  return only.length === 0 ? all : all.filter((fault) => only.some((word) => isMeant(fault, word)));
}

/** The target of a fault. */
interface Victim {
  start(): Promise<unknown>;
  stop(): Promise<unknown>;
  kill(): Promise<unknown>;
  signal(signal: NodeJS.Signals): unknown;
}

/** Causes the fault and ends it; for a service in one replica. Afterwards everything runs again. */
export async function strike({ target, way }: Fault, chaos: ChaosNetwork, chance: Chance): Promise<void> {
  const victim = victimOf(target, chaos, chance);
  switch (way) {
    case 'kill':
      await victim.kill();
      await sleep(DOWN_MS);
      await victim.start();
      return;
    case 'pause':
      victim.signal('SIGSTOP');
      await sleep(PAUSE_MS);
      victim.signal('SIGCONT');
      return;
    case 'restart':
      await victim.stop();
      await victim.start();
  }
}

function victimOf(target: Target, { postgres, nats, network }: ChaosNetwork, chance: Chance): Victim {
  if (target === 'postgres') return postgres;
  if (target === 'nats') return nats;
  return chance.pick(network.replicas[target satisfies ServiceName]);
}
