import { publicScheduledMessage } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { scheduledMessageSchema } from '../../wire/scheduled-message';

export const getScheduledMessages = endpoint({
  method: 'GET',
  path: '/scheduled_messages',
  summary: "Get the caller's scheduled messages that were not sent",
  auth: 'user',
  parameters: {},
  result: z.strictObject({ scheduled_messages: z.array(scheduledMessageSchema).describe('By time.') }),
  errors: [],
  async handler({ services }, { call }) {
    const { scheduledMessages } = await services.scheduler.listScheduledMessages(call, {});
    return { scheduled_messages: scheduledMessages.map(publicScheduledMessage) };
  },
});
