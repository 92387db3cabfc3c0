import { type Item, listOf, type State } from '@parley/client-model/state';
import type { Endpoint, InputOf } from '@parley/gateway/endpoints';
import { ROLES, type SeededRandom } from '@parley/shared/values';
import type { TestClient } from '../../../src';

/** A request that somebody makes; it may be refused. */
export interface Action {
  /** Who asks for what: enough to ask again. */
  text: string;
  run(): Promise<unknown>;
}

type AnyEndpoint = Pick<Endpoint, 'method' | 'path' | 'result'>;

/** What an action is chosen from. */
export interface Stage {
  random: SeededRandom;
  /** A name that nothing has yet. */
  name: string;
  people: Readonly<Record<string, TestClient>>;
  /** The owner's state, which names everything but others' private things. */
  state: State;
  /** The state of somebody: the owner's for people whom nobody follows. */
  stateOf(person: string): State;
  /** Names of those whom nobody follows: they may be deactivated. */
  strangers: readonly string[];
  /** Makes an account. */
  admit(account: { email: string; fullName: string; role: number }): Promise<unknown>;
}

export function anyone({ random, people }: Stage): string {
  return random.pick(Object.keys(people));
}

/** Nearly always allowed: the owner, and sometimes anybody. */
export function leader(stage: Stage): string {
  return stage.random.happens(0.7) ? 'iris' : anyone(stage);
}

export function ask<E extends AnyEndpoint>({ people }: Stage, who: string, endpoint: E, input: InputOf<E>): Action {
  const text = `${who}: ${endpoint.method} ${endpoint.path} ${JSON.stringify(input)}`;
  return { text, run: () => (people[who] as TestClient).call(endpoint, input) };
}

/** The id of an item of a list of the state; 0: there is none. */
export function idIn({ random }: Stage, state: State, lists: readonly string[], idName: string): number {
  const ids = lists.flatMap((list) => listOf(state, list).map((item: Item) => item[idName] as number));
  return random.pick(ids.sort((a, b) => a - b)) ?? 0;
}

export const channelIn = (stage: Stage) => idIn(stage, stage.state, ['streams'], 'stream_id');

export function channelNameIn(stage: Stage): string {
  const id = channelIn(stage);
  return String(listOf(stage.state, 'streams').find(({ stream_id: other }) => other === id)?.['name']);
}

/** A person or a bot, active or not. */
export const userIn = (stage: Stage) => idIn(stage, stage.state, ['realm_users', 'realm_non_active_users'], 'user_id');

/** Accounts that stay: somebody follows their queues. */
function lastingIds({ people, strangers }: Stage): number[] {
  return Object.entries(people).flatMap(([name, { userId }]) => (strangers.includes(name) ? [] : [userId]));
}

/** The owner of a bot: with an account that ends, the bot's would end. */
export const lastingUserIn = (stage: Stage) => stage.random.pick(lastingIds(stage));

/** An account that may end. */
export function strangerIn(stage: Stage): number {
  const kept = new Set(lastingIds(stage));
  const users = [...listOf(stage.state, 'realm_users'), ...listOf(stage.state, 'realm_non_active_users')];
  const ids = users.map((user) => user['user_id'] as number).filter((id) => !kept.has(id));
  return stage.random.pick(ids.sort((a, b) => a - b));
}

export const groupIn = (stage: Stage) => idIn(stage, stage.state, ['realm_user_groups'], 'id');

/** A group that is not of the system. */
export function ownGroupIn(stage: Stage): number {
  const groups = listOf(stage.state, 'realm_user_groups').filter(({ is_system_group: isOfSystem }) => !isOfSystem);
  return stage.random.pick(groups.map(({ id }) => id as number).sort((a, b) => a - b)) ?? 0;
}

/** Whom a permission is granted to. */
export function grantedTo(stage: Stage) {
  const { random } = stage;
  if (random.happens(0.6)) return groupIn(stage);
  const subgroups = random.happens(0.3) ? [groupIn(stage)] : [];
  return { direct_members: [userIn(stage)], direct_subgroups: subgroups };
}

export const flip = ({ random }: Stage) => random.happens(0.5);

export const ANY_ROLE = Object.values(ROLES);
