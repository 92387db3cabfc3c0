/**
 * The conversation's number in the API: odd for direct conversations, even for channels, whose topics share one.
 * NOTE: the statement that stores messages computes the same, because it assigns the conversation's id.
 */
export function recipientId(channelId: number | null, conversationId: number): number {
  return channelId === null ? 2 * conversationId + 1 : 2 * channelId;
}
