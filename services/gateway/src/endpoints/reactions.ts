import { z } from 'zod';
import { endpoint } from '../http/endpoint';
import { boundedText, pathId, text } from '../http/parameters';

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

export const removeReaction = endpoint({
  method: 'DELETE',
  path: '/messages/{message_id}/reactions',
  summary: 'Take a reaction to a message back',
  auth: 'user',
  parameters: {
    message_id: pathId(),
    emoji_name: text(boundedText(MAX_NAME_LENGTH).optional()),
    emoji_code: text(boundedText(MAX_NAME_LENGTH).optional()),
    reaction_type: text(boundedText(MAX_NAME_LENGTH).default('unicode_emoji')),
  },
  result: z.strictObject({}),
  errors: ['REACTION_DOES_NOT_EXIST'],
  async handler({ services }, { call }, values) {
    const { emoji_name: emojiName, emoji_code: emojiCode } = values;
    await services.messages.removeReaction(call, {
      messageId: values.message_id,
      ...(emojiName !== undefined && { emojiName }),
      ...(emojiCode !== undefined && { emojiCode }),
      reactionType: values.reaction_type,
    });
    return {};
  },
});
