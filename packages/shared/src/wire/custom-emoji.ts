import type { CustomEmoji } from '../proto';

/** The API's map of custom emoji by id. */
export function publicCustomEmoji(emoji: readonly CustomEmoji[]) {
  return Object.fromEntries(emoji.map((one) => [String(one.id), publicEmoji(one)]));
}

function publicEmoji(emoji: CustomEmoji) {
  return {
    id: String(emoji.id),
    name: emoji.name,
    source_url: customEmojiUrl(emoji.realmId, emoji.fileName),
    still_url: emoji.stillFileName === undefined ? null : customEmojiUrl(emoji.realmId, emoji.stillFileName),
    deactivated: emoji.isDeactivated,
    author_id: emoji.authorId ?? null,
  };
}

/** Where the gateway serves a custom emoji's image. */
export function customEmojiUrl(realmId: number, fileName: string): string {
  return `/user_avatars/${realmId}/emoji/images/${fileName}`;
}
