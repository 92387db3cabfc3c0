import type { State } from '@parley/client-model/state';
import { createBot } from '@parley/gateway/endpoints';
import { newCall } from '@parley/shared/rpc';
import { ROLES, SeededRandom } from '@parley/shared/values';
import { type TestClient, TestNetwork } from '../../src';
import { expectFreshEqualsReplayed, type Followers, followEveryone } from './harness';
import { messagesReceived } from './messages-received';
import type { Action, Stage } from './random/actors';
import { channelActions } from './random/channel-actions';
import { guestActions } from './random/guest-actions';
import { expectHidden, restrictGuests } from './random/hidden-people';
import { messageActions } from './random/message-actions';
import { peopleActions } from './random/people-actions';

/**
 * Whatever happens in an organization, events tell what a new registration does, and nobody is shown who is hidden from them. With an odd seed
 * guests see only whom they meet, to begin with. A failure names its seed and its last actions; repeat it with
 * REPLAY_SEED and REPLAY_ROUNDS.
 */
const SEEDS = process.env['REPLAY_SEED'] ? [Number(process.env['REPLAY_SEED'])] : [1, 2];
const ROUNDS = Number(process.env['REPLAY_ROUNDS'] ?? 10);
const LIMIT_MS = 60_000 + ROUNDS * 4_000;
/** A failure names so many. */
const NAMED_ACTIONS = 12;
/** Between comparisons. */
const CHANGES_A_ROUND = 4;

const ACTIONS = { ...messageActions, ...channelActions, ...peopleActions, ...guestActions };
const KINDS = Object.keys(ACTIONS);

const STRANGERS = {
  gil: { email: 'gil@example.com', fullName: 'Gil', role: ROLES.member },
  hal: { email: 'hal@example.com', fullName: 'Hal', role: ROLES.moderator },
  ida: { email: 'ida@example.com', fullName: 'Ida', role: ROLES.guest },
};
/** Followed, like the cast. */
const GUS = { email: 'gus@example.com', fullName: 'Gus', role: ROLES.guest };

const admit = (network: TestNetwork, account: { email: string; fullName: string; role: number }) =>
  network.realmService.createUser(newCall(), { subdomain: '', ...account });

class Organization {
  readonly #random: SeededRandom;
  readonly #done: string[] = [];
  #count = 0;

  private constructor(
    private readonly network: TestNetwork,
    private readonly people: Readonly<Record<string, TestClient>>,
    private readonly followers: Followers,
    seed: number,
  ) {
    this.#random = new SeededRandom(seed);
  }

  static async create(network: TestNetwork, seed: number): Promise<Organization> {
    const { iris, dan, eve, faye, robo } = network;
    const strangers: Record<string, TestClient> = {};
    for (const [name, account] of Object.entries(STRANGERS)) {
      strangers[name] = network.clientOf(await admit(network, account));
    }
    await (strangers['gil'] as TestClient).call(createBot, { full_name: 'Gilbot', short_name: 'gil' });
    const gus = network.clientOf(await admit(network, GUS));
    // Whom guests see changes often, too.
    if (seed % 2 === 1) await restrictGuests(network);
    const followers = await followEveryone(network, { gus }, messagesReceived);
    return new Organization(network, { iris, dan, eve, faye, gus, robo, ...strangers }, followers, seed);
  }

  /** Makes some changes, in turn or at once, and compares. */
  async change(areAtOnce: boolean): Promise<void> {
    const run = areAtOnce ? () => this.#changeAtOnce() : () => this.#changeInTurn();
    await expectFreshEqualsReplayed(this.network, this.followers, [], run, { mayEndQueues: true });
    await expectHidden(this.network, this.followers);
  }

  async #changeInTurn(): Promise<void> {
    for (let made = 0; made < CHANGES_A_ROUND; ) {
      const action = this.#next();
      if (!(await isMade(action))) continue;
      made += 1;
      this.#done.push(action.text);
      await this.network.settle();
    }
  }

  async #changeAtOnce(): Promise<void> {
    const actions = Array.from({ length: CHANGES_A_ROUND }, () => this.#next());
    const areMade = await Promise.all(actions.map(isMade));
    const made = actions.filter((_, at) => areMade[at]);
    this.#done.push(...made.map(({ text }) => text));
    if (made.length === 0) await this.#changeAtOnce();
  }

  get lastActions(): string {
    return this.#done.slice(-NAMED_ACTIONS).join('\n');
  }

  #next(): Action {
    this.#count += 1;
    const kind = this.#random.pick(KINDS) as keyof typeof ACTIONS;
    const stage: Stage = {
      ...{ random: this.#random, name: `n${this.#count}`, people: this.people },
      ...{
        state: this.#stateOf('iris'),
        stateOf: (person) => this.#stateOf(person),
        strangers: Object.keys(STRANGERS),
        admit: (account) => admit(this.network, account),
      },
    };
    return (ACTIONS[kind] as (stage: Stage) => Action)(stage);
  }

  #stateOf(person: string): State {
    const found = this.followers.find(({ name }) => name === `${person}, new client`);
    return found?.state ?? this.#stateOf('iris');
  }
}

/** False: the request was refused. Throws for any other failure. */
function isMade(action: Action): Promise<boolean> {
  return action.run().then(
    () => true,
    ({ message }: Error) => {
      if (/ answered 4\d\d: /.test(message)) return false;
      throw new Error(`${action.text}: ${message}`);
    },
  );
}

async function live(seed: number, areAtOnce: boolean): Promise<void> {
  const network = await TestNetwork.create();
  try {
    const organization = await Organization.create(network, seed);
    for (let round = 0; round < ROUNDS; round += 1) {
      await organization.change(areAtOnce).catch((error: Error) => {
        const repeat = `REPLAY_SEED=${seed} REPLAY_ROUNDS=${round + 1}`;
        throw new Error(`${repeat}\n${organization.lastActions}\n${error.message}`, { cause: error });
      });
    }
  } finally {
    await network.stop();
  }
}

describe.each(SEEDS)('changes at random, of seed %d, leave everybody with the state of a new registration', (seed) => {
  test('one at a time', () => live(seed, false), LIMIT_MS);
  test('four at once', () => live(seed, true), LIMIT_MS);
});
