import { connectRpc, newCall } from '@parley/shared/rpc';
import type pg from 'pg';
import { basic } from '../base/organization';
import { type Api, post } from '../operations/api';
import type { FilledParley } from '../operations/filled-parley';

/** The data that the operations use. */
export interface Subjects {
  realmId: number;
  reader: Reader;
  /** This user has received every message of every channel. */
  ownerId: number;
  /** The topic with most messages. */
  topic: Topic;
  /** A word of few messages, and one of many. */
  words: { rare: string; common: string };
  /** Sent by the owner, just now. */
  ownMessageId: number;
}

/** A user of many channels, with unread messages in UNREAD_TOPICS topics, or in all if there are fewer. */
export interface Reader {
  userId: number;
  authorization: string;
  /** The channels of which they have long been subscribers. */
  channelIds: number[];
  readTo: number;
}

export interface Topic {
  id: number;
  channelId: number;
  name: string;
  size: number;
  latestId: number;
}

export const UNREAD_TOPICS = 2_000;

const COMMON_WORD = 'release';

/** Subscribes the owner to all channels from their beginning on. To be called before any service has read the subscribers. */
async function subscribeOwner(realm: pg.Client, realmId: number): Promise<number> {
  const { rows } = await realm.query<{ id: string }>(
    'select min(id) as id from user_account where realm_id = $1 and role = 100 and not is_bot',
    [realmId],
  );
  const ownerId = Number(rows[0]?.id);
  const channels = 'channel where realm_id = $1 and subscription_version > 0 and not is_archived';
  await realm.query(
    `with subscribed as (
       insert into subscription (realm_id, channel_id, user_id, color, is_active)
       select $1, id, $2, '#76ce90', true from ${channels} on conflict do nothing
     )
     insert into subscription_interval (realm_id, channel_id, user_id, from_version)
     select $1, id, $2, 1 from ${channels} on conflict do nothing`,
    [realmId, ownerId],
  );
  return ownerId;
}

/** Chooses the data that the operations use, and prepares it. */
export async function findSubjects(
  parley: FilledParley,
  api: Api,
  { realm, messages }: Record<'realm' | 'messages', pg.Client>,
): Promise<Subjects> {
  const { realmId } = parley;
  const ownerId = await subscribeOwner(realm, realmId);
  const topic = await findTopic(messages, realmId);
  const sent = post('/messages', { type: 'channel', to: String(topic.channelId), topic: 'bench', content: 'Hello' });
  const { id: ownMessageId } = JSON.parse(String(await api.call(sent))) as { id: number };
  return {
    realmId,
    ownerId,
    topic,
    ownMessageId,
    reader: await findReader(parley, realm, messages),
    words: { rare: await findRareWord(messages, realmId), common: COMMON_WORD },
  };
}

async function findReader(parley: FilledParley, realm: pg.Client, messages: pg.Client): Promise<Reader> {
  const { realmId, addresses } = parley;
  const { rows } = await realm.query<{ id: string; email: string; channels: string[] }>(
    `select u.id, u.email, array_agg(i.channel_id) as channels from user_account u
     join subscription_interval i on i.realm_id = $1 and i.user_id = u.id and i.to_version is null
     join channel c on c.realm_id = $1 and c.id = i.channel_id and not c.is_archived
     where u.realm_id = $1 and u.is_active and not u.is_bot and u.role = 400 and i.from_version <= c.subscription_version / 2 + 1
     group by u.id, u.email order by sum(c.subscriber_count) desc, u.id limit 1`,
    [realmId],
  );
  const { id, email, channels } = rows[0] as { id: string; email: string; channels: string[] };
  const { client, close } = connectRpc('realm', addresses.realm);
  const { apiKey } = await client.devFetchApiKey(newCall(), { subdomain: '', username: email, label: 'bench' });
  close();
  const channelIds = channels.map(Number);
  const readTo = await leaveUnread(messages, realmId, Number(id), channelIds);
  return { userId: Number(id), authorization: basic(email, apiKey), channelIds, readTo };
}

/** Sets how far the reader has read. */
async function leaveUnread(
  messages: pg.Client,
  realmId: number,
  userId: number,
  channelIds: number[],
): Promise<number> {
  const { rows } = await messages.query<{ id: string }>(
    `insert into read_watermark as w (realm_id, user_id, message_id)
     select $1, $2, coalesce((
       select max_message_id from topic where realm_id = $1 and channel_id = any($3)
       order by max_message_id desc offset $4 limit 1), 0)
     on conflict (realm_id, user_id) do update set message_id = excluded.message_id returning message_id as id`,
    [realmId, userId, channelIds, UNREAD_TOPICS],
  );
  return Number(rows[0]?.id);
}

async function findTopic(messages: pg.Client, realmId: number): Promise<Topic> {
  const { rows } = await messages.query<{ id: string; channel_id: string; name: string; size: string; latest: string }>(
    `select t.id, t.channel_id, t.name, m.size, t.max_message_id as latest from topic t
     join (
       select conversation_id, count(*) as size from message where realm_id = $1 and channel_id is not null
       group by conversation_id order by 2 desc limit 1
     ) m on m.conversation_id = t.id
     where t.realm_id = $1`,
    [realmId],
  );
  const { id, channel_id, name, size, latest } = rows[0] as (typeof rows)[0];
  return { id: Number(id), channelId: Number(channel_id), name, size: Number(size), latestId: Number(latest) };
}

/** The number of a ticket. */
async function findRareWord(messages: pg.Client, realmId: number): Promise<string> {
  const { rows } = await messages.query<{ word: string }>(
    `select substring(content from 'Ticket (\\d+)') as word from message
     where realm_id = $1 and channel_id is not null and content like '%Ticket %' order by id limit 1`,
    [realmId],
  );
  return rows[0]?.word as string;
}
