import type { UpdateUserStatusRequest } from '@parley/shared/proto';
import { z } from 'zod';
import { endpoint, type Values } from '../http/endpoint';
import { json, pathId, text } from '../http/parameters';
import { publicUserStatus, userStatusSchema } from '../wire/presence';

const statusParameters = {
  status_text: text(z.string().optional().describe('Empty: clears it.')),
  emoji_name: text(z.string().optional().describe('Empty: clears it.')),
  emoji_code: text(z.string().optional()),
  reaction_type: text(z.string().optional()),
};

/** The changes in a request. */
function sentStatus(values: Values<typeof statusParameters>): UpdateUserStatusRequest {
  return {
    ...(values.status_text !== undefined && { statusText: values.status_text }),
    ...(values.emoji_name !== undefined && { emojiName: values.emoji_name }),
    ...(values.emoji_code !== undefined && { emojiCode: values.emoji_code }),
    ...(values.reaction_type !== undefined && { reactionType: values.reaction_type }),
  };
}

export const getUserStatus = endpoint({
  method: 'GET',
  path: '/users/{user_id}/status',
  summary: "Get a user's status",
  auth: 'user',
  parameters: { user_id: pathId() },
  result: z.strictObject({ status: userStatusSchema }),
  errors: [],
  async handler({ services }, { call }, values) {
    return { status: publicUserStatus(await services.realm.getUserStatus(call, { userId: values.user_id })) };
  },
});

export const updateOwnStatus = endpoint({
  method: 'POST',
  path: '/users/me/status',
  summary: "Set the caller's own status",
  auth: 'user',
  parameters: { ...statusParameters, away: json(z.boolean().optional().describe('Deprecated.')) },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { away, ...values }) {
    await services.realm.updateUserStatus(call, { ...sentStatus(values), ...(away !== undefined && { isAway: away }) });
    return {};
  },
});

export const updateUserStatus = endpoint({
  method: 'POST',
  path: '/users/{user_id}/status',
  summary: "Set a user's status; for administrators",
  auth: 'user',
  parameters: { user_id: pathId(), ...statusParameters },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { user_id: userId, ...values }) {
    await services.realm.updateUserStatus(call, { userId, ...sentStatus(values) });
    return {};
  },
});
