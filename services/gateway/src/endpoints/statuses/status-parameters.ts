import type { UpdateUserStatusRequest } from '@parley/shared/proto';
import { z } from 'zod';
import type { Values } from '../../http/endpoint';
import { text } from '../../http/parameters';

export const statusParameters = {
  status_text: text(z.string().optional().describe('Empty: clears it.')),
  emoji_name: text(z.string().optional().describe('Empty: clears it.')),
  emoji_code: text(z.string().optional()),
  reaction_type: text(z.string().optional()),
};

/** What a request wants set. */
export function sentStatus(values: Values<typeof statusParameters>): UpdateUserStatusRequest {
  return {
    ...(values.status_text !== undefined && { statusText: values.status_text }),
    ...(values.emoji_name !== undefined && { emojiName: values.emoji_name }),
    ...(values.emoji_code !== undefined && { emojiCode: values.emoji_code }),
    ...(values.reaction_type !== undefined && { reactionType: values.reaction_type }),
  };
}
