import { Traffic } from '@parley/dev-env';
import { Chance } from '../base/chance';
import { type ChaosNetwork, startChaosNetwork } from './chaos-network';
import { type Fault, strike } from './faults';
import { History } from './history';
import { PrivateTalk } from './private-talk';
import { type Broken, findBroken } from './promises';

const FOLLOWERS = 6;
/** A participant without any event for this time will not recover by itself. */
const RECOVERY_MS = 120_000;

export interface FaultResult {
  fault: Fault;
  /** From the beginning of the fault until everything ran again. */
  lastedMs: number;
  /** The longest time that a new message of each sender took to reach every follower, during the fault and after it. */
  longestWaitMs: number;
  /** Clients that had to register again. */
  registeredAgain: number;
  broken: Broken[];
}

export interface ChaosRun {
  faults: readonly Fault[];
  seed: number;
  /** Called with each result as soon as there is one. */
  onResult(result: FaultResult): void;
}

/** Starts a deployment and causes each fault in turn, under load; ends early when it does not recover from one. */
export async function runChaos({ faults, seed, onResult }: ChaosRun): Promise<FaultResult[]> {
  const chaos = await startChaosNetwork();
  const { dan, eve, iris, gatewayAddresses } = chaos.network;
  const traffic = new Traffic(gatewayAddresses, [dan, eve, iris], FOLLOWERS);
  try {
    await traffic.start();
    const trial = new Trial(chaos, traffic, new PrivateTalk(traffic, iris, dan), new History(traffic, eve, 0));
    const chance = new Chance(seed);
    const results: FaultResult[] = [];
    for (const fault of chance.shuffled(faults)) {
      const result = await trial.strike(fault, chance);
      results.push(result);
      onResult(result);
      if (result.broken.some(({ promise }) => promise === 'recovers')) break;
    }
    return results;
  } finally {
    await traffic.stop();
    await chaos.stop();
  }
}

class Trial {
  readonly #known = new Set<string>();

  constructor(
    private readonly chaos: ChaosNetwork,
    private readonly traffic: Traffic,
    private readonly talk: PrivateTalk,
    private readonly history: History,
  ) {
    traffic.add(history);
  }

  async strike(fault: Fault, chance: Chance): Promise<FaultResult> {
    await this.traffic.useFirstReplica();
    const registeredBefore = this.#registrations();
    const beginMs = performance.now();
    const lasting = strike(fault, this.chaos, chance).then(() => performance.now() - beginMs);
    // Its request is repeated until it is answered, perhaps never: wait for the end of the fault only.
    const isRemoved = this.traffic.ending(this.talk.removeMember());
    const longestWaitMs = await this.traffic
      .longestRoundMs(lasting, RECOVERY_MS)
      .finally(() => Promise.allSettled([lasting]));
    const lastedMs = await lasting;
    const hasRecovered = longestWaitMs < RECOVERY_MS && (await this.#readmit(isRemoved));
    const broken: Broken[] = hasRecovered
      ? [...findBroken(this.traffic, this.talk), ...(await this.history.findBroken())]
      : [{ promise: 'recovers', what: `nothing reached everybody for ${RECOVERY_MS / 1_000} s` }];
    const registeredAgain = this.#registrations() - registeredBefore;
    return { fault, lastedMs, longestWaitMs, registeredAgain, broken: broken.filter((each) => this.#isNew(each)) };
  }

  async #readmit(isRemoved: () => boolean): Promise<boolean> {
    const isWithin = (isMet: () => boolean) => this.traffic.isWithin(RECOVERY_MS, isMet);
    if (!(await isWithin(isRemoved))) return false;
    if (!(await isWithin(this.traffic.ending(this.talk.readmitMember())))) return false;
    return isWithin(this.talk.reachesBoth());
  }

  #registrations(): number {
    return this.traffic.followers.reduce((sum, { queues }) => sum + queues.length, 0);
  }

  /** Each broken promise is reported once, with the fault that broke it. */
  #isNew({ promise, what }: Broken): boolean {
    const name = `${promise}: ${what}`;
    if (this.#known.has(name)) return false;
    this.#known.add(name);
    return true;
  }
}
