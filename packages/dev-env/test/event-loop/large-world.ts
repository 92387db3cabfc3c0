import { createChannel, createGroup, listUsers, sendMessage, subscribe } from '@parley/gateway/endpoints';
import { MARKDOWN_VERSION } from '@parley/shared/markdown';
import { newCall } from '@parley/shared/rpc';
import { eg } from '../../src/cast/eg';
import { startWatchedNetwork, type WatchedNetwork } from './watched-network';

const USERS = 6_000;
const CHANNELS = 600;
/** More than fit into an answer. */
const LONG_MESSAGES = 2_000;
const SHORT_MESSAGES = 5_000;
const EDITS = 900;
const NESTED_GROUPS = 60;
const PROFILE_FIELDS = 24;
const DOORS = 100;

/** An organization in which everything has its largest size. */
export interface LargeWorld {
  network: WatchedNetwork;
  /** Of people. */
  userIds: number[];
  /** Of those who are no guests. */
  memberIds: number[];
  longIds: number[];
  shortIds: number[];
  rewrittenId: number;
  /** Each has the next one in it. */
  groupIds: number[];
  /** A group whose members see many private channels. */
  doorId: number;
}

export async function createLargeWorld(): Promise<LargeWorld> {
  const network = await startWatchedNetwork();
  try {
    await fill(network);
    await fillProfiles(network);
    const { members } = await network.iris.call(listUsers, {});
    const people = members.filter(({ is_active, is_bot }) => is_active && !is_bot);
    return {
      network,
      userIds: people.map(({ user_id }) => user_id),
      memberIds: people.filter(({ is_guest }) => !is_guest).map(({ user_id }) => user_id),
      longIds: await sendMany(network, 'long', longText(), LONG_MESSAGES),
      shortIds: await sendMany(network, 'short', 'soup', SHORT_MESSAGES),
      rewrittenId: await rewrittenMessage(network),
      groupIds: await nestedGroups(network),
      doorId: await groupWithDoors(network),
    };
  } catch (error) {
    await network.stop();
    throw error;
  }
}

async function fill({ realmService }: WatchedNetwork): Promise<void> {
  await realmService.fillRealm(newCall(undefined, 120_000), {
    subdomain: eg.home.subdomain,
    users: USERS,
    channels: CHANNELS,
    seed: 1,
  });
}

/** As if everybody had said something in each field. */
async function fillProfiles({ iris, database }: WatchedNetwork): Promise<void> {
  await database('realm').query(
    `with field as (
       insert into profile_field (realm_id, type, name, hint, field_data, position, is_in_summary, is_required, is_editable_by_user)
       select $1, 1, 'Field ' || n, '', '', n, false, false, true from generate_series(1, $2::int) n returning id
     ), said as (
       select u.id as user_id, field.id as field_id, 'About ' || u.full_name as value from user_account u, field
       where u.realm_id = $1 and not u.is_bot
     )
     insert into profile_value (realm_id, user_id, field_id, value, rendered_value, rendered_from)
     select $1, user_id, field_id, value, '<p>' || value || '</p>', md5($3 || ' ' || value) from said`,
    [iris.realmId, PROFILE_FIELDS, String(MARKDOWN_VERSION)],
  );
}

/** A text with much HTML for few characters. */
export function longText(): string {
  return '**soup** '.repeat(1_100);
}

/** As if it had been sent so often: the same rows, without the sending. */
export async function sendMany(
  { iris, database }: WatchedNetwork,
  topic: string,
  content: string,
  count: number,
): Promise<number[]> {
  await iris.call(subscribe, { subscriptions: [{ name: 'large' }] });
  const { id } = await iris.call(sendMessage, { type: 'channel', to: 'large', topic, content });
  const rows = await database('messages').query<{ id: number }>(
    `insert into message (realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, sender_id, content, rendered_content,
       sent_at, client_name, is_me_message, is_read_by_sender, mentions_channel, mentions_topic)
     select realm_id, id * 10000 + n, conversation_id, channel_id, sent_channel_id, sent_version, sender_id, content, rendered_content,
       sent_at, client_name, is_me_message, is_read_by_sender, mentions_channel, mentions_topic
     from message, generate_series(1, $3) n where realm_id = $1 and id = $2 returning id`,
    [iris.realmId, id, count],
  );
  return rows.map((row) => row.id);
}

async function rewrittenMessage({ iris, database }: WatchedNetwork): Promise<number> {
  const { id } = await iris.call(sendMessage, { type: 'channel', to: 'large', topic: 'rewritten', content: words() });
  await database('messages').query(
    `insert into message_edit (realm_id, message_id, edit_id, actor_id, edited_at, prev_content, prev_rendered_content)
     select $1, $2, -n, $3, now(), text, '<p>' || text || '</p>' from unnest($4::text[]) with ordinality t (text, n)`,
    [iris.realmId, id, iris.userId, Array.from({ length: EDITS }, words)],
  );
  return id;
}

export function words(): string {
  return Array.from({ length: 990 }, () => Math.random().toString(36).charAt(5)).join(' ');
}

async function nestedGroups({ iris }: WatchedNetwork): Promise<number[]> {
  const ids: number[] = [];
  for (let depth = 0; depth < NESTED_GROUPS; depth += 1) {
    const inner = ids.slice(-1);
    const { group_id } = await iris.call(createGroup, {
      name: `nested ${depth}`,
      description: '',
      members: [iris.userId],
      subgroups: inner,
    });
    ids.push(group_id);
  }
  return ids;
}

async function groupWithDoors({ iris }: WatchedNetwork): Promise<number> {
  const { group_id } = await iris.call(createGroup, { name: 'door', description: '', members: [] });
  for (let nth = 0; nth < DOORS; nth += 1) {
    await iris.call(createChannel, {
      name: `behind the door ${nth}`,
      subscribers: [],
      invite_only: true,
      can_subscribe_group: group_id,
    });
  }
  return group_id;
}
