import type { Draft } from '../proto';

/** A draft in the public dialect; called for GET /drafts, POST /register and events. */
export function publicDraft({ id, channelId, recipientIds, topic, content, editedAtMs }: Draft) {
  return {
    id,
    ...addresseeOf(channelId, recipientIds),
    topic,
    content,
    timestamp: Math.floor(editedAtMs / 1_000),
  };
}

function addresseeOf(channelId: number | undefined, recipientIds: readonly number[]) {
  if (channelId !== undefined) return { type: 'stream' as const, to: [channelId] };
  return recipientIds.length > 0 ? { type: 'private' as const, to: [...recipientIds] } : { type: '' as const, to: [] };
}
