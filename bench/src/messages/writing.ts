import type pg from 'pg';
import { type ApiRequest, post } from '../operations/api';
import type { Operation } from '../operations/measure-operations';
import type { Limits } from './limits';
import type { Subjects } from './subjects';

const RESOLVED = '✔ ';
const MARKED_AT_ONCE = 1_000;

/** Writes and marks in an organization with many messages; `messages` is its database. */
export function writingOn(subjects: Subjects, limits: Limits, messages: pg.Client): Operation[] {
  return [
    sending(subjects, limits),
    ...markingAsRead(subjects, limits, messages),
    ...starsAndReactions(subjects, limits),
    ...editing(subjects, limits),
  ];
}

function sending({ topic }: Subjects, limits: Limits): Operation {
  const sent = { type: 'channel', to: String(topic.channelId), topic: 'bench' };
  return {
    name: 'POST /messages',
    request: (run) => post('/messages', { ...sent, content: `Hello ${run}` }),
    limit: (run) => limits.insert(run),
  };
}

function markingAsRead({ realmId, ownerId, topic }: Subjects, limits: Limits, messages: pg.Client): Operation[] {
  const narrow = [
    { operator: 'channel', operand: topic.channelId },
    { operator: 'topic', operand: topic.name },
  ];
  const page = { anchor: 'oldest', num_before: '0', num_after: String(MARKED_AT_ONCE), narrow: JSON.stringify(narrow) };
  return [
    {
      name: 'POST /mark_all_as_read: everything is unread',
      prepare: () =>
        messages.query('delete from read_watermark where realm_id = $1 and user_id = $2', [realmId, ownerId]),
      request: () => ({ ...post('/mark_all_as_read', {}), expected: '"complete":true' }),
      limit: () => limits.watermark,
    },
    {
      name: `POST /messages/flags/narrow: ${MARKED_AT_ONCE} of a topic become unread, then read`,
      request: alternately(
        post('/messages/flags/narrow', { ...page, op: 'remove', flag: 'read' }),
        post('/messages/flags/narrow', { ...page, op: 'add', flag: 'read' }),
      ),
      limit: () => limits.markPage(MARKED_AT_ONCE),
    },
  ];
}

function starsAndReactions({ topic }: Subjects, limits: Limits): Operation[] {
  const star = { messages: `[${topic.latestId}]`, flag: 'starred' };
  const reaction = { path: `/messages/${topic.latestId}/reactions`, fields: { emoji_name: 'rocket' } };
  return [
    {
      name: 'POST /messages/flags: a star',
      request: alternately(
        post('/messages/flags', { ...star, op: 'add' }),
        post('/messages/flags', { ...star, op: 'remove' }),
      ),
      limit: limits.star,
    },
    {
      name: 'POST and DELETE /messages/{id}/reactions',
      request: alternately({ method: 'POST', ...reaction }, { method: 'DELETE', ...reaction }),
      limit: limits.star,
    },
  ];
}

function editing({ topic, ownMessageId }: Subjects, limits: Limits): Operation[] {
  const path = `/messages/${topic.latestId}`;
  const other = topic.name.startsWith(RESOLVED) ? topic.name.slice(RESOLVED.length) : RESOLVED + topic.name;
  const toAll = {
    propagate_mode: 'change_all',
    send_notification_to_old_thread: 'false',
    send_notification_to_new_thread: 'false',
  };
  return [
    {
      name: 'PATCH /messages/{id}: its content',
      request: (run) => patch(`/messages/${ownMessageId}`, { content: `Hello again ${run}` }),
      limit: limits.edit,
    },
    {
      name: `PATCH /messages/{id}: a topic of ${topic.size} messages is resolved, or not`,
      request: alternately(patch(path, { topic: other, ...toAll }), patch(path, { topic: topic.name, ...toAll })),
      limit: limits.rename,
    },
  ];
}

const patch = (path: string, fields: Record<string, string>): ApiRequest => ({ method: 'PATCH', path, fields });

/** Each request undoes the one before it. */
function alternately(first: ApiRequest, second: ApiRequest): () => ApiRequest {
  let isFirst = false;
  return () => {
    isFirst = !isFirst;
    return isFirst ? first : second;
  };
}
