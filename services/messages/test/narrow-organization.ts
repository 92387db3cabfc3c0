import type { Database } from '@parley/shared/db';
import type { ChannelReadFacts, VersionInterval } from '@parley/shared/proto';
import { SeededRandom } from '@parley/shared/values';
import type { Reader } from '../src/access/permissions';
import { insertFirstHistory } from '../src/read-state/first-history.sql';

/** A message of a filled organization, with all facts on which narrows depend. */
export interface ModelMessage {
  id: number;
  channelId: number | null;
  sentChannelId: number | null;
  sentVersion: number | null;
  conversationId: number;
  topic: string;
  participants: number[];
  senderId: number;
  words: string[];
  extras: Extra[];
  isReadBySender: boolean;
  mentionsChannel: boolean;
  mentionsTopic: boolean;
  /** As members of a group, or by name. */
  groupMentioned: number[];
  mentioned: number[];
  isStarred: boolean;
  isHistorical: boolean;
  hasReaction: boolean;
}

type Extra = 'link' | 'image' | 'attachment' | 'emoji' | 'channel-link';

export const READER_ID = 1;
export const USER_IDS = [1, 2, 3, 4, 5, 6, 7];
export const READ_TO = 9_000;
/** The reader's recent history on joining. */
export const FIRST_HISTORY = { channelIds: [2, 4, 5, 8], fromId: 2_000, toId: 5_000 };
/** The state of every channel after all messages were sent and some of them moved. */
export const LATEST_VERSION = 15;
export const ALERT_WORD = 'deploy';
export const TOPICS = ['', 'lunch plans', 'Deploy errors', '✔ tea', 'reports', 'rare topic'];
export const WORDS = ['lunch', 'lunches', 'run', 'running', 'tea', 'coffee', 'deploy', 'errors', 'report'];
/** Rare words. */
export const RARE_WORD = 'zebra';

const PERSONAL: Partial<ChannelReadFacts> = { isPublic: false, isWebPublic: false, mayReadHistory: false };
const since = (...edges: [from: number, to?: number][]): VersionInterval[] =>
  edges.map(([fromVersion, toVersion]) => ({ fromVersion, ...(toVersion !== undefined && { toVersion }) }));

/** 1 lobby, 2 web-public and left twice, 3 never joined, 4 private, 5 with protected history, 6 private and left, 7 archived, 8 quiet. */
export const CHANNELS: ChannelReadFacts[] = [
  channel(1, 'Lobby', { intervals: since([0]) }),
  channel(2, 'Web', { isWebPublic: true, intervals: since([2, 5], [9]) }),
  channel(3, 'Side', { isSubscribed: false }),
  channel(4, 'Staff', { isPublic: false, intervals: since([3]), isMuted: true }),
  channel(5, 'Vault', { ...PERSONAL, intervals: since([4, 8], [12]) }),
  channel(6, 'Former', { ...PERSONAL, intervals: since([0, 10]), isSubscribed: false, hasContentAccess: false }),
  channel(7, 'Attic', { isArchived: true, intervals: since([0]) }),
  channel(8, 'Quiet', { intervals: since([0]), isMuted: true }),
];

function channel(channelId: number, name: string, facts: Partial<ChannelReadFacts>): ChannelReadFacts {
  return {
    channelId,
    name,
    mayReadHistory: true,
    hasContentAccess: true,
    isSubscribed: true,
    isMuted: false,
    isPublic: true,
    isWebPublic: false,
    isArchived: false,
    isHidden: false,
    intervals: [],
    ...facts,
  } as ChannelReadFacts;
}

export const reader: Reader = {
  userId: READER_ID,
  realm: { id: 1, subdomain: '' } as Reader['realm'],
  channels: new Map(CHANNELS.map((facts) => [facts.channelId, facts])),
  mutedUserIds: new Set(),
  alertWords: [{ word: ALERT_WORD, addedAtMs: 0 }],
};

/** By channel and index of the topic: 1 muted, 2 unmuted, 3 followed. */
export const POLICIES: readonly [channelId: number, topic: string, policy: number][] = [
  [1, 'reports', 1],
  [1, 'lunch plans', 3],
  [4, 'lunch plans', 2],
  [4, 'Deploy errors', 3],
  [3, '✔ tea', 3],
];

export const DIRECTS = [[1], [1, 2], [1, 3], [1, 2, 3], [1, 2, 4, 5], [2, 3], [4, 6], [1, 6]];

/** Always the same `count` messages, some of which were moved to another channel later. */
export function makeMessages(count: number): ModelMessage[] {
  const seeded = new SeededRandom(12_345);
  const random = (below: number) => seeded.below(below);
  const oneIn = (n: number) => random(n) === 0;
  const pick = <Item>(items: readonly Item[]) => items[random(items.length)] as Item;
  return Array.from({ length: count }, (_, index): ModelMessage => {
    const id = index + 1;
    const isDirect = oneIn(9);
    const channelId = oneIn(400) ? 8 : 1 + Math.min(random(8), random(8), 6);
    const isMoved = !isDirect && oneIn(50);
    const topicIndex = oneIn(500) ? 5 : random(5);
    const direct = random(DIRECTS.length);
    const extras: Extra[] = oneIn(300)
      ? [pick<Extra>(['link', 'image', 'attachment'])]
      : oneIn(5)
        ? [pick<Extra>(['emoji', 'channel-link'])]
        : [];
    return {
      id,
      channelId: isDirect ? null : channelId,
      sentChannelId: isDirect ? null : isMoved ? 1 + random(7) : channelId,
      sentVersion: isDirect ? null : Math.floor((LATEST_VERSION * index) / count),
      conversationId: isDirect ? 1000 + direct : 10 * channelId + topicIndex,
      topic: isDirect ? '' : (TOPICS[topicIndex] as string),
      participants: isDirect ? (DIRECTS[direct] as number[]) : [],
      senderId: oneIn(700) ? 7 : 1 + random(6),
      words: [pick(WORDS), pick(WORDS), ...(oneIn(900) ? [RARE_WORD] : [])],
      extras,
      isReadBySender: oneIn(2),
      mentionsChannel: !isDirect && oneIn(800),
      mentionsTopic: !isDirect && oneIn(800),
      groupMentioned: oneIn(200) ? [READER_ID] : [],
      mentioned: oneIn(200) ? [1 + random(3)] : [],
      isStarred: oneIn(150),
      isHistorical: oneIn(1000),
      hasReaction: oneIn(200),
    };
  });
}

const HTML: Record<Extra, string> = {
  link: '<a href="https://x.example">x</a>',
  image:
    '<div class="message_inline_image"><a href="/user_uploads/1/a.png"><img src="/user_uploads/thumbnail/1/a.png"></a></div>',
  attachment: '<a href="/user_uploads/1/a.txt">a.txt</a>',
  emoji: '<img alt=":tea:" class="emoji" src="/static/tea.png">',
  'channel-link': '<a class="stream" data-stream-id="1" href="/#narrow/channel/1">#Lobby</a>',
};

/** Without mentions of those who were mentioned by their group. */
export function htmlOf({ words, extras, mentioned }: ModelMessage): string {
  const mentions = mentioned.map((id) => `<span class="user-mention" data-user-id="${id}">@U${id}</span>`);
  return `<p>${[words.join(' '), ...mentions, ...extras.map((extra) => HTML[extra])].join(' ')}</p>`;
}

/** Writes the organization to a database. */
export async function storeOrganization(db: Database, messages: readonly ModelMessage[]): Promise<void> {
  const topics = CHANNELS.flatMap(({ channelId }) =>
    TOPICS.map((name, index) => ({
      id: 10 * channelId + index,
      channel_id: channelId,
      name,
      name_key: name.toLowerCase(),
    })),
  );
  await db.query(
    `insert into topic (realm_id, id, channel_id, name, name_key, max_message_id)
     select 1, id, channel_id, name, name_key, ${messages.length}
     from jsonb_to_recordset($1) as t (id bigint, channel_id bigint, name text, name_key text)`,
    [JSON.stringify(topics)],
  );
  await db.query(
    `insert into direct_conversation (realm_id, id, participant_ids, max_message_id)
     select 1, 999 + n, array(select jsonb_array_elements_text(p)::bigint), ${messages.length}
     from jsonb_array_elements($1) with ordinality as d (p, n)`,
    [JSON.stringify(DIRECTS)],
  );
  await db.query(
    `insert into topic_policy (realm_id, user_id, channel_id, name_key, name, policy, updated_at)
     select 1, ${READER_ID}, (p->>0)::bigint, lower(p->>1), p->>1, (p->>2)::smallint, now() from jsonb_array_elements($1) p`,
    [JSON.stringify(POLICIES)],
  );
  for (let begin = 0; begin < messages.length; begin += 5_000)
    await storeMessages(db, messages.slice(begin, begin + 5_000));
  const { channelIds, fromId, toId } = FIRST_HISTORY;
  await insertFirstHistory(db, 1, READER_ID, { channelIds, fromId, toId });
  await db.query(`insert into read_watermark (realm_id, user_id, message_id) values (1, ${READER_ID}, ${READ_TO})`);
  await db.query('analyze');
}

async function storeMessages(db: Database, messages: readonly ModelMessage[]): Promise<void> {
  const rows = messages.map((message) => ({ ...message, content: message.words.join(' '), html: htmlOf(message) }));
  const parameters = [JSON.stringify(rows)];
  await db.query(
    `insert into message (realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, sender_id, content,
       rendered_content, sent_at, client_name, is_me_message, is_read_by_sender, mentions_channel, mentions_topic, moved_version)
     select 1, id, "conversationId", "channelId", "sentChannelId", "sentVersion", "senderId", content, html,
       to_timestamp(1600000000 + 60 * id), '', false, "isReadBySender", "mentionsChannel", "mentionsTopic",
       case when "channelId" <> "sentChannelId" then ${LATEST_VERSION} end
     from jsonb_to_recordset($1) as m (id bigint, "conversationId" bigint, "channelId" bigint, "sentChannelId" bigint,
       "sentVersion" bigint, "senderId" bigint, content text, html text, "isReadBySender" boolean,
       "mentionsChannel" boolean, "mentionsTopic" boolean)`,
    parameters,
  );
  await db.query(
    `insert into mention (realm_id, user_id, message_id)
     select distinct 1, u::bigint, (m->>'id')::bigint
     from jsonb_array_elements($1) m, jsonb_array_elements_text(m->'mentioned' || (m->'groupMentioned')) u`,
    parameters,
  );
  await db.query(
    `insert into personal_flag (realm_id, user_id, message_id, is_starred, is_historical)
     select 1, ${READER_ID}, id, "isStarred", "isHistorical"
     from jsonb_to_recordset($1) as m (id bigint, "isStarred" boolean, "isHistorical" boolean)
     where "isStarred" or "isHistorical"`,
    parameters,
  );
  await db.query(
    `insert into reaction (realm_id, message_id, user_id, reaction_type, emoji_code, emoji_name)
     select 1, id, 2, 'unicode_emoji', '1f419', 'octopus'
     from jsonb_to_recordset($1) as m (id bigint, "hasReaction" boolean) where "hasReaction"`,
    parameters,
  );
}
