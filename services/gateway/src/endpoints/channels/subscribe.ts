import type { NewChannelSettings, UserChannels } from '@parley/shared/proto';
import { z } from 'zod';
import { endpoint, type Values } from '../../http/endpoint';
import { json } from '../../http/parameters';

const MAX_CHANNELS = 1_000;

const color = z
  .string()
  .refine((value) => /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(value), 'Value error, color is not a valid hex color code')
  .transform((value) => (value.length === 4 ? value.replace(/[0-9a-f]/gi, '$&$&') : value).toLowerCase());

const parameters = {
  subscriptions: json(
    z
      .array(z.object({ name: z.string(), description: z.string().default(''), color: color.optional() }))
      .max(MAX_CHANNELS)
      .describe('The channels; those that do not exist are created.'),
  ),
  principals: json(
    z
      .union([z.array(z.int()), z.array(z.string())])
      .default([])
      .describe('User ids or API e-mail addresses of those to subscribe; nobody named: the caller.'),
  ),
  authorization_errors_fatal: json(z.boolean().default(true)),
  invite_only: json(z.boolean().default(false)),
  is_web_public: json(z.boolean().default(false)),
  is_default_stream: json(z.boolean().default(false)),
  history_public_to_subscribers: json(z.boolean().optional()),
  topics_policy: json(
    z.enum(['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only']).default('inherit'),
  ),
  send_new_subscription_messages: json(z.boolean().default(true)),
};

const channelNamesByUserId = z.record(z.string(), z.array(z.string()));

export const subscribe = endpoint({
  method: 'POST',
  path: '/users/me/subscriptions',
  summary: 'Subscribe users to channels, creating those that do not exist',
  auth: 'user',
  parameters,
  result: z.strictObject({
    subscribed: channelNamesByUserId,
    already_subscribed: channelNamesByUserId,
    unauthorized: z.array(z.string()).optional(),
    new_subscription_messages_sent: z.boolean().optional(),
  }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, values) {
    const isFatal = values.authorization_errors_fatal;
    const { subscribed, alreadySubscribed, unauthorized } = await services.realm.subscribe(call, {
      channels: values.subscriptions.map((wanted) => ({ ...wanted, color: wanted.color ?? '' })),
      ...principalsOf(values.principals),
      areAuthorizationErrorsFatal: isFatal,
      newChannel: newChannelSettings(values),
    });
    return {
      subscribed: byUserId(subscribed),
      already_subscribed: byUserId(alreadySubscribed),
      ...(isFatal ? {} : { unauthorized }),
      // Nobody is told by a direct message yet, and the answer says so.
      ...(values.send_new_subscription_messages ? { new_subscription_messages_sent: false } : {}),
    };
  },
});

function principalsOf(principals: number[] | string[]) {
  const isById = (list: number[] | string[]): list is number[] => typeof list[0] === 'number';
  return isById(principals)
    ? { principalIds: principals, principalEmails: [] }
    : { principalIds: [], principalEmails: principals };
}

function newChannelSettings(values: Values<typeof parameters>): NewChannelSettings {
  const isHistoryPublic = values.history_public_to_subscribers;
  return {
    isPrivate: values.invite_only,
    isWebPublic: values.is_web_public,
    isDefault: values.is_default_stream,
    topicsPolicy: values.topics_policy,
    ...(isHistoryPublic !== undefined && { isHistoryPublic }),
  };
}

function byUserId(list: UserChannels[]): Record<string, string[]> {
  return Object.fromEntries(list.map(({ userId, channelNames }) => [String(userId), channelNames]));
}
