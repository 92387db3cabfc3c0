import { get, post } from '../operations/api';
import type { FilledParley } from '../operations/filled-parley';
import type { Operation } from '../operations/measure-operations';

/** The data that the operations use. */
export interface Subjects {
  /** Of the largest public channel. */
  channelId: number;
  /** The channels of the measured user. */
  channelNames: string[];
  userIds: number[];
}

const USER_FIELDS = 'u.id, u.email, u.full_name, u.role, u.is_bot, u.is_active, u.timezone, u.created_at';
const CHANNEL_FIELDS = `c.id, c.name, c.description, c.rendered_description, c.is_private, c.is_web_public, c.is_archived,
  c.subscriber_count, c.created_at`;

/** Operations with users, channels and subscriptions in a large organization. */
export function operationsOn({ realmId }: FilledParley, subjects: Subjects): Operation[] {
  return [...reading(listsOf(realmId)), ...registering(listsOf(realmId)), ...writing(realmId, subjects)];
}

function reading({ users, channels, subscribed, ownSubscribers }: Lists): Operation[] {
  return [
    { name: 'GET /users', request: () => get('/users'), limit: () => together(users) },
    { name: 'GET /streams', request: () => get('/streams'), limit: () => together(channels) },
    {
      name: 'GET /users/me/subscriptions',
      request: () => get('/users/me/subscriptions'),
      limit: () => together(subscribed),
    },
    {
      name: 'GET /users/me/subscriptions, with subscribers',
      request: () => get('/users/me/subscriptions?include_subscribers=true'),
      limit: () => together(subscribed, ownSubscribers),
    },
  ];
}

function registering({ users, channels, subscribed, subscribers }: Lists): Operation[] {
  const limit = () => together(users, channels, subscribed, subscribers);
  const types = '["realm_user","stream","subscription","user_group","realm"]';
  return [
    {
      name: 'POST /register: users, channels, subscriptions',
      request: () => post('/register', { fetch_event_types: types, include_subscribers: 'true' }),
      limit,
    },
    {
      name: 'POST /register: everything, with partial subscribers',
      request: () => post('/register', { include_subscribers: 'partial' }),
      limit,
    },
  ];
}

function writing(realmId: number, { channelId, userIds }: Subjects): Operation[] {
  return [
    {
      name: `POST /users/me/subscriptions: ${userIds.length} users join a channel`,
      request: (run) =>
        post('/users/me/subscriptions', {
          subscriptions: JSON.stringify([{ name: `joined ${run}` }]),
          principals: JSON.stringify(userIds),
        }),
      limit: (run) => joinStatement(realmId, run, userIds),
    },
    {
      name: 'PATCH /streams/{id}',
      request: (run) => ({ method: 'PATCH', path: `/streams/${channelId}`, fields: { description: `Run ${run}` } }),
      limit: (run) =>
        `update bench_channel set description = 'Run ${run}' where realm_id = ${realmId} and id = ${channelId} returning '{}'`,
    },
  ];
}

/** SQL expressions, each a list as JSON. */
interface Lists {
  users: string;
  channels: string;
  /** The owner's channels. */
  subscribed: string;
  /** The subscribers of those. */
  ownSubscribers: string;
  /** The subscribers of all channels. */
  subscribers: string;
}

function listsOf(realmId: number): Lists {
  const listOf = (fields: string, from: string) =>
    `(select json_agg(row_to_json(x)) from (select ${fields} from ${from}) x)`;
  const subscribersIn = (join: string) =>
    listOf(
      'other.channel_id, array_agg(other.user_id) as user_ids',
      `subscription other ${join} where other.realm_id = ${realmId} and other.is_active group by other.channel_id`,
    );
  return {
    users: listOf(USER_FIELDS, `user_account u where u.realm_id = ${realmId}`),
    channels: listOf(CHANNEL_FIELDS, `channel c where c.realm_id = ${realmId} and not c.is_archived`),
    subscribed: listOf(`${CHANNEL_FIELDS}, s.color, s.is_muted, s.is_pinned`, `channel c ${own(realmId, 'c.id')}`),
    ownSubscribers: subscribersIn(own(realmId, 'other.channel_id')),
    subscribers: subscribersIn(''),
  };
}

function together(...lists: string[]): string {
  return `select json_build_array(${lists.join(', ')})::text`;
}

/** A join that leaves the rows of the channels that the organization's owner is subscribed to. */
function own(realmId: number, channelId: string): string {
  return `join subscription s on s.realm_id = ${realmId} and s.channel_id = ${channelId} and s.is_active and s.user_id = (
    select min(u.id) from user_account u where u.realm_id = ${realmId} and u.role = 100)`;
}

/** Tables that the limits write to, like those of the service. */
export const LIMIT_TABLES = `
  create table bench_channel (like channel including all);
  insert into bench_channel overriding system value select * from channel;
  create table bench_subscription (like subscription including all);
  create table bench_interval (like subscription_interval including all)`;

function joinStatement(realmId: number, run: number, userIds: readonly number[]): string {
  return `with joining (user_id) as (select unnest('{${userIds.join(',')}}'::bigint[])), kept as (
      insert into bench_subscription (realm_id, channel_id, user_id, color, is_active)
      select ${realmId}, ${run}, user_id, '#76ce90', true from joining
    ), opened as (
      insert into bench_interval (realm_id, channel_id, user_id, from_version) select ${realmId}, ${run}, user_id, 1 from joining
    ) select json_agg(user_id)::text from joining`;
}
