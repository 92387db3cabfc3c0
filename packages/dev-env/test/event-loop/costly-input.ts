import {
  createChannel,
  createGroup,
  type Endpoint,
  encodeRequest,
  type InputOf,
  listGroups,
  subscribe,
  updateRealm,
  updateUserSettings,
} from '@parley/gateway/endpoints';
import type { ServiceName } from '../../src';
import type { Person } from '../../src/cast/eg';
import { type RawRequest, toRawRequest } from '../../src/network/test-client';
import { multipart } from '../multipart';
import type { LargeWorld } from './large-world';
import { largePng } from './pictures';

export interface CostlyInput {
  endpoint: Endpoint;
  title: string;
  /** The `attempt` is there for names that must be new. */
  request(world: LargeWorld, attempt: string): RawRequest;
  /** The service that loads something for the first request only: started afresh for another attempt. */
  loads?: ServiceName;
  /** Ends with what goes on after the answer. */
  after?(world: LargeWorld): Promise<unknown>;
  /** Makes services read again what they know by heart. */
  before?(world: LargeWorld, attempt: string): Promise<unknown>;
  /** Who sends it; absent: the owner. */
  by?: Person;
}

type AnyEndpoint = Pick<Endpoint, 'method' | 'path'>;

export function costly<E extends AnyEndpoint>(
  endpoint: E,
  title: string,
  input: (world: LargeWorld, attempt: string) => InputOf<E & Endpoint>,
): CostlyInput {
  const request = (world: LargeWorld, attempt: string) =>
    toRawRequest(encodeRequest(endpoint as never, input(world, attempt) as never));
  return { endpoint: endpoint as unknown as Endpoint, title, request };
}

/** After changes of users and of channels. */
export function afresh(input: CostlyInput): CostlyInput {
  return {
    ...input,
    title: `${input.title}, after changes`,
    async before({ network: { iris } }, attempt) {
      await iris.call(updateUserSettings, { full_name: `Iris ${attempt}` });
      await iris.call(createChannel, { name: `${input.title} ${attempt}`, subscribers: [] });
      await iris.call(createGroup, { name: `${input.title} ${attempt}`, description: '', members: [] });
    },
  };
}

async function showEverybodyTo({ network: { iris } }: LargeWorld, name: string): Promise<unknown> {
  const { user_groups } = await iris.call(listGroups, {});
  const id = user_groups.find((group) => group.name === name)?.id as number;
  return iris.call(updateRealm, { can_access_all_users_group: { new: id } });
}

/** While guests see only whom they meet. */
export function besideGuests(input: CostlyInput): CostlyInput {
  return {
    ...input,
    title: `${input.title}, beside guests who see whom they meet`,
    async before(world, attempt) {
      await showEverybodyTo(world, 'role:members');
      await input.before?.(world, attempt);
    },
  };
}

/** By a guest who sees whom they meet, or everybody. Both meet thousands. */
function byGuest(input: CostlyInput, isRestricted: boolean): CostlyInput {
  return {
    ...input,
    title: `${input.title}, by a guest who sees ${isRestricted ? 'whom they meet' : 'everybody'}`,
    by: 'faye',
    async before(world) {
      await showEverybodyTo(world, 'role:everyone');
      await world.network.iris.call(subscribe, { subscriptions: [{ name: 'everybody' }], principals: world.userIds });
      if (isRestricted) await showEverybodyTo(world, 'role:members');
    },
  };
}

export const byGuests = (input: CostlyInput) => [true, false].map((isRestricted) => byGuest(input, isRestricted));

export function costlyUpload(endpoint: AnyEndpoint, title: string, path: string): CostlyInput {
  const request = (_world: LargeWorld, attempt: string) => ({
    method: 'POST',
    path: `/api/v1${path}${attempt}`,
    ...multipart({ name: 'a.png', bytes: largePng(), type: 'image/png' }),
  });
  return { endpoint: endpoint as unknown as Endpoint, title, request };
}

/** A page in its first request. */
export function firstPage(path: string): CostlyInput {
  const request = () => ({ method: 'GET', path, headers: { 'accept-encoding': 'gzip' } });
  return first('gateway', { endpoint: { method: 'GET', path } as Endpoint, title: 'the first time', request });
}

/** Work that a service does only in the first request. */
export function first(loads: ServiceName, input: CostlyInput): CostlyInput {
  return { ...input, loads };
}
