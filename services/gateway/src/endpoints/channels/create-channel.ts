import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json, text } from '../../http/parameters';
import { newChannelParameters, newChannelSettings } from './new-channel-parameters';

export const createChannel = endpoint({
  method: 'POST',
  path: '/channels/create',
  summary: 'Make a channel, and subscribe users to it',
  auth: 'user',
  parameters: {
    name: text(z.string()),
    description: text(z.string().default('')),
    subscribers: json(z.array(z.int()).describe('User ids; the caller is subscribed only if named.')),
    ...newChannelParameters,
    send_new_subscription_messages: json(
      z
        .boolean()
        .default(true)
        .describe('Without effect: nobody gets a message for being subscribed to a new channel.'),
    ),
  },
  result: z.strictObject({ id: z.int() }),
  errors: ['CHANNEL_ALREADY_EXISTS', 'UNAUTHORIZED_PRINCIPAL', 'SYSTEM_GROUP_REQUIRED'],
  async handler({ services }, { call }, values) {
    const { channelId } = await services.realm.createChannel(call, {
      name: values.name,
      description: values.description,
      subscriberIds: values.subscribers,
      settings: newChannelSettings(values),
    });
    return { id: channelId };
  },
});
