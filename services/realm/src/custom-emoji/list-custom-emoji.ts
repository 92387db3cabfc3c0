import type { CustomEmojiList } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { listCustomEmojiOf } from './custom-emoji.sql';

/** The organization's custom emoji, deactivated ones included. For everybody. */
export async function listCustomEmoji(ctx: Context, { realmId }: Caller): Promise<CustomEmojiList> {
  return { emoji: await listCustomEmojiOf(ctx.db, realmId) };
}
