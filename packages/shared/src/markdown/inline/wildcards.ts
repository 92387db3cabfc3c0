/** `@**all**` and its synonyms. */
export const channelWildcards: ReadonlySet<string> = new Set(['all', 'everyone', 'channel', 'stream']);
export const topicWildcard = 'topic';

/** Whether a mention of that name means many. */
export function isWildcard(name: string): boolean {
  return channelWildcards.has(name) || name === topicWildcard;
}
