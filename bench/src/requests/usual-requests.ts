import type { Limits } from '../messages/limits';
import type { Subjects } from '../messages/subjects';
import { type ApiRequest, get, post } from '../operations/api';
import {
  type BareStatement,
  bareAccount,
  bareDirectPage,
  bareEdit,
  barePage,
  bareReaction,
  bareSend,
  bareSubscriptions,
} from './bare-statements';

/** A request that clients send frequently. */
export interface UsualRequest {
  name: string;
  /** Requests are numbered. */
  request(run: number): ApiRequest;
  /**
   * The minimal work of any server for it: the same rows, read or written by one statement, and as many bytes. Null: the bytes alone, which
   * are in memory.
   */
  bare(run: number): BareStatement | null;
  /** Fewer than of others: it is long. */
  runs?: number;
  /** Sent once before. */
  prepare?: ApiRequest;
}

const EMOJI = [
  'rocket',
  'tada',
  'heart',
  'smile',
  'octopus',
  'eyes',
  'fire',
  'wave',
  'cactus',
  'coffee',
  'apple',
  'car',
  'pizza',
  'dog',
  'cat',
  'gift',
];

export interface People {
  /** The reader's correspondent. */
  partnerId: number;
  /** The reader's newest messages. */
  receivedIds: number[];
  /** More of them: every user reacts with the same emoji only once. */
  reactableIds: number[];
  /** Sent by the owner. Many, because edits of one message wait for one another. */
  editableIds: number[];
  /** Of the owner, who has read everything. */
  ownerAuthorization: string;
}

/** The most frequent requests, by a user of many channels. */
export function usualRequests(subjects: Subjects, limits: Limits, people: People): UsualRequest[] {
  const { authorization } = subjects.reader;
  const requests = [
    ...reading(subjects, limits, people),
    ...small(subjects, limits),
    ...marking(subjects, limits, people),
    ...writing(subjects, people),
    registering(people),
  ];
  return requests.map((each) => ({
    ...each,
    request: (run) => ({ authorization, ...each.request(run) }),
  }));
}

const ofMessages = (text: string): BareStatement => ({ database: 'messages', text });

function reading({ realmId, topic }: Subjects, limits: Limits, { partnerId }: People): UsualRequest[] {
  const channel = { operator: 'channel', operand: topic.channelId };
  const narrows = [
    { name: 'all', narrow: [], condition: limits.inChannels, bare: barePage },
    { name: 'a channel', narrow: [channel], condition: limits.inChannel, bare: barePage },
    {
      name: 'a topic',
      narrow: [channel, { operator: 'topic', operand: topic.name }],
      condition: limits.inTopic,
      bare: barePage,
    },
    {
      name: 'a conversation',
      narrow: [{ operator: 'dm', operand: [partnerId] }],
      condition: limits.isDirect(partnerId),
      bare: bareDirectPage,
    },
  ];
  const pages = narrows.flatMap(({ name, narrow, condition, bare }) =>
    [30, 100].map((count) => ({
      name: `GET /messages: the newest ${count} of ${name}`,
      request: () => page(narrow, { anchor: 'newest', num_before: String(count) }),
      bare: () => bare(realmId, condition, count),
    })),
  );
  const around = { anchor: 'first_unread', num_before: '50', num_after: '50' };
  return [
    ...pages,
    {
      name: 'GET /messages: 50 before and 50 after the first unread',
      request: () => page([], around),
      // The reader has read nothing: there are no messages before the first unread one.
      bare: () => barePage(realmId, limits.unread, 51, 'asc'),
    },
  ];
}

function page(narrow: readonly object[], range: Record<string, string>): ApiRequest {
  return get(
    `/messages?${new URLSearchParams({ narrow: JSON.stringify(narrow), num_before: '0', num_after: '0', ...range })}`,
  );
}

function small(subjects: Subjects, limits: Limits): UsualRequest[] {
  const { topic } = subjects;
  const own = bareAccount(subjects);
  const typing = { type: 'stream', stream_id: String(topic.channelId), topic: topic.name };
  return [
    { name: 'GET /users/me', request: () => get('/users/me'), bare: () => own },
    {
      name: 'GET /users/me/subscriptions',
      request: () => get('/users/me/subscriptions'),
      bare: () => bareSubscriptions(subjects),
    },
    {
      name: 'GET /users/me/{id}/topics',
      request: () => get(`/users/me/${topic.channelId}/topics`),
      bare: () => ofMessages(limits.topics),
    },
    {
      name: 'POST /typing',
      request: (run) => post('/typing', { ...typing, op: run % 2 === 0 ? 'start' : 'stop' }),
      bare: () => own,
    },
    {
      name: 'POST /users/me/presence',
      request: () => post('/users/me/presence', { status: 'active', ping_only: 'true' }),
      bare: () => own,
    },
  ];
}

function marking(subjects: Subjects, limits: Limits, { receivedIds, reactableIds }: People): UsualRequest[] {
  return [
    {
      name: `POST /messages/flags: ${receivedIds.length} are read, or not`,
      request: (run) =>
        post('/messages/flags', {
          messages: JSON.stringify(receivedIds),
          flag: 'read',
          op: run % 2 === 0 ? 'add' : 'remove',
        }),
      bare: () => ofMessages(limits.markPage(receivedIds.length)),
    },
    {
      name: 'POST /messages/{id}/reactions',
      request: (run) =>
        post(`/messages/${reactableIds[run % reactableIds.length]}/reactions`, {
          emoji_name: EMOJI[Math.floor(run / reactableIds.length)] as string,
        }),
      bare: (run) => bareReaction(subjects, run),
    },
  ];
}

function writing(subjects: Subjects, { ownerAuthorization, editableIds }: People): UsualRequest[] {
  const sent = { type: 'channel', to: String(subjects.topic.channelId), topic: 'bench' };
  return [
    {
      name: 'POST /messages',
      request: (run) => post('/messages', { ...sent, content: `Hello ${run}` }),
      bare: (run) => bareSend(subjects, run),
    },
    {
      name: 'PATCH /messages/{id}: its content',
      request: (run) => ({
        method: 'PATCH',
        path: `/messages/${editableIds[run % editableIds.length]}`,
        fields: { content: `Hello again ${run}` },
        authorization: ownerAuthorization,
      }),
      bare: (run) => bareEdit(subjects, run),
    },
  ];
}

/** By somebody in all channels who has read everything; the lists of people and channels are warm. */
function registering({ ownerAuthorization: authorization }: People): UsualRequest {
  const capabilities = JSON.stringify({ bulk_message_deletion: true, user_avatar_url_field_optional: true });
  const fields = { apply_markdown: 'true', client_gravatar: 'true', client_capabilities: capabilities };
  const request = () => ({ ...post('/register', fields), authorization });
  // The requests before it have sent thousands of messages.
  const prepare = { ...post('/mark_all_as_read', {}), authorization };
  return { name: 'POST /register', request, bare: () => null, runs: 200, prepare };
}
