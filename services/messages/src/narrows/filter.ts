/** A topic or direct conversation, and the channel of the former. */
export interface Conversation {
  id: number;
  channelId: number | null;
}

/** A narrow whose names have been looked up: which messages it leaves. */
export interface Filter {
  /** Only messages in these; undefined: anywhere. */
  channelIds: readonly number[] | undefined;
  conversations: readonly Conversation[] | undefined;
  excludedChannelIds: readonly number[];
  excludedConversationIds: readonly number[];
  /** All of a channel's history is meant, also what the reader did not receive. */
  isHistoryIncluded: boolean;
}

export const NO_FILTER: Filter = {
  channelIds: undefined,
  conversations: undefined,
  excludedChannelIds: [],
  excludedConversationIds: [],
  isHistoryIncluded: false,
};

/** Whether a message is among those that the filter leaves, whoever reads it. */
export function isMatch(message: { channelId: number | null; conversationId: number }, filter: Filter): boolean {
  const { channelId, conversationId } = message;
  if (filter.channelIds && (channelId === null || !filter.channelIds.includes(channelId))) return false;
  if (filter.conversations && !filter.conversations.some(({ id }) => id === conversationId)) return false;
  if (channelId !== null && filter.excludedChannelIds.includes(channelId)) return false;
  return !filter.excludedConversationIds.includes(conversationId);
}
