import type { SubscribeResponse, UnsubscribeResponse, UserChannels } from '@parley/shared/proto';
import { publicSubscriptionProperties } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint } from '../http/endpoint';
import { boundedText, json, pathId, text } from '../http/parameters';
import { channelList, ownChannels } from '../shared-state/lists-for-caller';
import type { SubscribersShown } from '../shared-state/shared-state';
import { subscriptionSchema } from '../wire/channels';
import { newChannelParameters, newChannelSettings } from './channels';

const MAX_CHANNELS = 1_000;

/** Channels to subscribe to; realm checks names and colours. */
const channelsToJoin = z
  .array(z.object({ name: z.string(), description: z.string().default(''), color: z.string().default('') }))
  .max(MAX_CHANNELS);

const channelNames = z.array(z.string()).max(MAX_CHANNELS);

const principals = json(
  z
    .union([z.array(z.int()), z.array(z.string())])
    .default([])
    .describe('User ids or API e-mail addresses; nobody named: the caller.'),
);

/** Principals by how they are named. */
function principalsOf(list: number[] | string[]): { principalIds: number[]; principalEmails: string[] } {
  const isById = (named: number[] | string[]): named is number[] => typeof named[0] === 'number';
  return isById(list) ? { principalIds: list, principalEmails: [] } : { principalIds: [], principalEmails: list };
}

const subscribersWanted = z.enum(['true', 'false', 'partial']).default('false');

// SPEC-GAP: the server decides which channels get partial subscriber lists: those with more than 1,000 subscribers.
export const includeSubscribers = json(
  subscribersWanted.describe(
    'Whether to list the subscribers of each channel; `partial`: of large ones some are enough.',
  ),
);

function shownSubscribers(wanted: z.infer<typeof subscribersWanted>): SubscribersShown {
  return ({ true: 'all', false: 'none', partial: 'partial' } as const)[wanted];
}

/** A value of a subscription's property: a colour or a boolean. */
const propertyValue = z.union([z.boolean(), z.string()]);

function propertyChange(channelId: number, property: string, value: boolean | string) {
  return { channelId, property, ...(typeof value === 'boolean' ? { boolean: value } : { text: value }) };
}

const channelNamesByUserId = z.record(z.string(), z.array(z.string()));

const subscribedShape = {
  subscribed: channelNamesByUserId,
  already_subscribed: channelNamesByUserId,
};

/** Names of channels by subscribed user. */
function publicSubscribed({ subscribed, alreadySubscribed }: SubscribeResponse) {
  return { subscribed: byUserId(subscribed), already_subscribed: byUserId(alreadySubscribed) };
}

function byUserId(list: UserChannels[]): Record<string, string[]> {
  return Object.fromEntries(list.map(({ userId, channelNames }) => [String(userId), channelNames]));
}

export const listSubscriptions = endpoint({
  method: 'GET',
  path: '/users/me/subscriptions',
  summary: 'Get the channels that the caller is subscribed to',
  auth: 'user',
  parameters: { include_subscribers: includeSubscribers },
  result: z.strictObject({ subscriptions: z.array(subscriptionSchema) }),
  errors: [],
  async handler({ services, sharedState }, { call }, { include_subscribers: wanted }) {
    const serialized = await sharedState.channels(call, shownSubscribers(wanted));
    // Read last: a channel that was hidden from the caller meanwhile is omitted.
    const { groups } = await services.realm.listSubscriptions(call, { isGrouped: true });
    const channels = ownChannels(groups, publicSubscriptionProperties);
    return { subscriptions: channelList(channels, serialized.withSubscribers, { includesArchived: false }) };
  },
});

export const subscribe = endpoint({
  method: 'POST',
  path: '/users/me/subscriptions',
  summary: 'Subscribe users to channels, creating those that do not exist',
  auth: 'user',
  parameters: {
    subscriptions: json(channelsToJoin.describe('The channels; those that do not exist are created.')),
    principals,
    authorization_errors_fatal: json(
      z
        .boolean()
        .default(true)
        .describe('False: channels that the caller may not subscribe to are listed and left out.'),
    ),
    send_new_subscription_messages: json(
      z.boolean().default(true).describe('People whom somebody else subscribes are told so by a direct message.'),
    ),
    ...newChannelParameters,
  },
  result: z.strictObject({
    ...subscribedShape,
    unauthorized: z.array(z.string()).optional(),
    new_subscription_messages_sent: z.boolean().optional(),
  }),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'SYSTEM_GROUP_REQUIRED'],
  async handler({ services }, { call }, values) {
    const isFatal = values.authorization_errors_fatal;
    const sendsNotices = values.send_new_subscription_messages;
    const answer = await services.realm.subscribe(call, {
      channels: values.subscriptions,
      ...principalsOf(values.principals),
      areAuthorizationErrorsFatal: isFatal,
      newChannel: newChannelSettings(values),
      sendsNotices,
    });
    return {
      ...publicSubscribed(answer),
      ...(isFatal ? {} : { unauthorized: answer.unauthorized }),
      ...(sendsNotices ? { new_subscription_messages_sent: answer.areNoticesSent } : {}),
    };
  },
});

export const unsubscribe = endpoint({
  method: 'DELETE',
  path: '/users/me/subscriptions',
  summary: 'Unsubscribe users from channels',
  auth: 'user',
  parameters: { subscriptions: json(channelNames.describe('Names of channels.')), principals },
  result: z.strictObject({
    removed: z.array(z.string()).describe('Names of channels, one for each user who was unsubscribed.'),
    not_removed: z.array(z.string()).describe('Names of channels, one for each user who was not subscribed.'),
  }),
  errors: ['STREAM_DOES_NOT_EXIST'],
  async handler({ services }, { call }, values) {
    const { removed, notRemoved } = await services.realm.unsubscribe(call, {
      channelNames: values.subscriptions,
      ...principalsOf(values.principals),
    });
    return { removed, not_removed: notRemoved };
  },
});

export const changeOwnSubscriptions = endpoint({
  method: 'PATCH',
  path: '/users/me/subscriptions',
  summary: 'Subscribe to channels and unsubscribe from others, all at once',
  auth: 'user',
  parameters: {
    add: json(channelsToJoin.default([]).describe('The channels; those that do not exist are created.')),
    delete: json(channelNames.default([]).describe('Names of channels.')),
  },
  result: z.strictObject({
    ...subscribedShape,
    removed: z.array(z.string()),
    not_removed: z.array(z.string()),
    new_subscription_messages_sent: z.boolean(),
  }),
  errors: ['STREAM_DOES_NOT_EXIST'],
  async handler({ services }, { call }, values) {
    const { subscribed, unsubscribed } = await services.realm.changeOwnSubscriptions(call, {
      added: values.add,
      removedNames: values.delete,
    });
    const { removed, notRemoved } = unsubscribed as UnsubscribeResponse;
    const added = subscribed as SubscribeResponse;
    return {
      ...publicSubscribed(added),
      removed,
      not_removed: notRemoved,
      new_subscription_messages_sent: added.areNoticesSent,
    };
  },
});

export const updateSubscriptionProperty = endpoint({
  method: 'PATCH',
  path: '/users/me/subscriptions/{stream_id}',
  summary: 'Change one thing that the caller has set for a channel',
  auth: 'user',
  parameters: { stream_id: pathId(), property: text(boundedText(100)), value: json(propertyValue) },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, values) {
    const change = propertyChange(values.stream_id, values.property, values.value);
    await services.realm.updateSubscriptionProperties(call, { changes: [change] });
    return {};
  },
});

/** Limit of changes: each consists of four values of a parameter. */
const MAX_CHANGES = 5_000;

const propertyChanges = z
  .array(z.object({ stream_id: z.int(), property: boundedText(100), value: propertyValue }))
  .max(MAX_CHANGES)
  .describe('In this order; the value is a colour for the property `color`, else whether it is so.');

export const updateSubscriptionProperties = endpoint({
  method: 'POST',
  path: '/users/me/subscriptions/properties',
  summary: 'Change what the caller has set for channels',
  auth: 'user',
  parameters: { subscription_data: json(propertyChanges) },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { subscription_data: sent }) {
    await services.realm.updateSubscriptionProperties(call, {
      changes: sent.map(({ stream_id: channelId, property, value }) => propertyChange(channelId, property, value)),
    });
    return {};
  },
});
