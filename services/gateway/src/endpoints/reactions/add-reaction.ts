import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { boundedText, pathId, text } from '../../http/parameters';

const MAX_NAME_LENGTH = 100;

export const addReaction = endpoint({
  method: 'POST',
  path: '/messages/{message_id}/reactions',
  summary: 'React to a message',
  auth: 'user',
  parameters: {
    message_id: pathId(),
    emoji_name: text(boundedText(MAX_NAME_LENGTH)),
    emoji_code: text(boundedText(MAX_NAME_LENGTH).optional()),
    reaction_type: text(boundedText(MAX_NAME_LENGTH).optional()),
  },
  result: z.strictObject({}),
  errors: ['REACTION_ALREADY_EXISTS'],
  async handler({ services }, { call }, values) {
    const { emoji_code: emojiCode, reaction_type: reactionType } = values;
    await services.messages.addReaction(call, {
      messageId: values.message_id,
      emojiName: values.emoji_name,
      ...(emojiCode !== undefined && { emojiCode }),
      ...(reactionType !== undefined && { reactionType }),
    });
    return {};
  },
});
