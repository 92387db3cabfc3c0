import { LIMITS, RESOLVED_TOPIC_PREFIX, truncate } from '@parley/shared/values';

export type Toggle = 'resolved' | 'unresolved';

/** The stored name of a topic, cut to the limit. */
export function storedTopic(name: string): string {
  return truncate(name, LIMITS.topicLength, '...');
}

/**
 * Whether renaming a topic only resolves or unresolves it, also if the prefix leaves no room for the whole name. Resolving a
 * resolved topic again is another name.
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
