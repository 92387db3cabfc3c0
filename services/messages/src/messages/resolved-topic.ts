import { LIMITS, RESOLVED_TOPIC_PREFIX, truncate } from '@parley/shared/values';

export type Toggle = 'resolved' | 'unresolved';

/** The name that is stored of a topic, cut to the limit. */
export function storedTopic(name: string): string {
  return truncate(name, LIMITS.topicLength, '...');
}

/**
 * Whether a topic that gets this name is merely resolved, or taken up again; also when the prefix leaves no room for all of it. What is
 * resolved already is not resolved once more: that is another name.
 */
export function toggleOf(previous: string, next: string): Toggle | null {
  if (isResolvedForm(previous, next)) return 'resolved';
  return isResolvedForm(next, withOnePrefix(previous)) ? 'unresolved' : null;
}

function isResolvedForm(open: string, resolved: string): boolean {
  if (open.startsWith(RESOLVED_TOPIC_PREFIX)) return false;
  const prefixed = RESOLVED_TOPIC_PREFIX + open;
  return resolved === prefixed || resolved === storedTopic(prefixed);
}

function withOnePrefix(topic: string): string {
  const isPrefixedTwice = topic.startsWith(RESOLVED_TOPIC_PREFIX + RESOLVED_TOPIC_PREFIX);
  return isPrefixedTwice ? withOnePrefix(topic.slice(RESOLVED_TOPIC_PREFIX.length)) : topic;
}
