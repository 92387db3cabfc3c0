import { LIMITS } from './limits';
import { truncate } from './text';

/** The name of the empty topic for clients that cannot show an empty one. */
export const EMPTY_TOPIC_DISPLAY_NAME = 'general chat';

/** COMPAT(level 370): older clients say this for "no topic". */
const NO_TOPIC = '(no topic)';

export const RESOLVED_TOPIC_PREFIX = '✔ ';

/** The topic of a sent text: trimmed, synonyms of the empty topic become empty, cut to the limit. */
export function topicFromInput(text: string): string {
  const topic = text.trim();
  if (topic === EMPTY_TOPIC_DISPLAY_NAME || topic === NO_TOPIC) return '';
  return truncate(topic, LIMITS.topicLength, '...');
}

/** Topics with equal keys are the same: comparison ignores case everywhere. */
export function topicKey(topic: string): string {
  return topic.toLowerCase();
}

/** The topic for a client that may not support the empty topic. */
export function displayTopic(topic: string, isEmptyTopicUnderstood: boolean): string {
  return topic === '' && !isEmptyTopicUnderstood ? EMPTY_TOPIC_DISPLAY_NAME : topic;
}
