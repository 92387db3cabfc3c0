import { call } from '../api/call';
import { type Narrow, type Term, termsOf } from '../narrow/narrow';
import { topicsOf } from './topics';

const AT_ONCE = 5_000;

/** Marks everything in a view as read, a part at a time. */
export async function markAllRead(narrow: Narrow): Promise<void> {
  const terms: Term[] = [...termsOf(narrow), { operator: 'is', operand: 'unread' }];
  let anchor: string | number = 'newest';
  for (;;) {
    const part: { first_processed_id: number | null; found_oldest: boolean } = await call(
      'POST',
      '/messages/flags/narrow',
      { anchor, num_before: AT_ONCE, num_after: 0, narrow: terms, op: 'add', flag: 'read' },
    );
    if (part.found_oldest || part.first_processed_id === null) return;
    anchor = part.first_processed_id;
  }
}

/** Changes one's own setting of a channel, e.g. its color. */
export function setSubscription(channelId: number, property: string, value: unknown): Promise<unknown> {
  return call('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: channelId, property, value }],
  });
}

const RESOLVED = '✔ ';

export const isResolved = (topic: string) => topic.startsWith(RESOLVED);

/** Without the mark of resolved topics. */
export const bareTopic = (topic: string) => (isResolved(topic) ? topic.slice(RESOLVED.length) : topic);

/** Resolves a topic, or opens it again. */
export async function toggleResolved(channelId: number, topic: string): Promise<void> {
  const messageId = await newestIn(channelId, topic);
  if (messageId === undefined) return;
  const renamed = isResolved(topic) ? bareTopic(topic) : `${RESOLVED}${topic}`;
  const rest = { propagate_mode: 'change_all', send_notification_to_old_thread: false };
  await call('PATCH', `/messages/${messageId}`, { topic: renamed, ...rest });
}

/** A message of the topic, by which the API names it. */
export async function newestIn(channelId: number, topic: string): Promise<number | undefined> {
  const known = topicsOf(channelId)?.find(({ name }) => name.toLowerCase() === topic.toLowerCase());
  if (known) return known.max_id;
  const narrow = termsOf({ kind: 'topic', channelId, topic });
  const parameters = { anchor: 'newest', num_before: 1, num_after: 0, narrow, allow_empty_topic_name: true };
  const { messages } = await call<{ messages: { id: number }[] }>('GET', '/messages', parameters);
  return messages.at(-1)?.id;
}

/** The server deletes as much as it can in some seconds: it is asked again until all is deleted. */
export async function deleteTopic(channelId: number, topic: string): Promise<void> {
  for (let isComplete = false; !isComplete; ) {
    const { complete } = await call<{ complete: boolean }>('POST', `/streams/${channelId}/delete_topic`, {
      topic_name: topic,
    });
    isComplete = complete;
  }
}

export function leaveChannel(name: string, userIds?: readonly number[]): Promise<unknown> {
  return call('DELETE', '/users/me/subscriptions', {
    subscriptions: [name],
    ...(userIds && { principals: userIds }),
  });
}

/** Adds oneself, or these people, to a channel. */
export function joinChannel(name: string, userIds?: readonly number[]): Promise<unknown> {
  return call('POST', '/users/me/subscriptions', {
    subscriptions: [{ name }],
    ...(userIds && { principals: userIds }),
  });
}
