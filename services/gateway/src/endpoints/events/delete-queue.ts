import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { opaqueText, text } from '../../http/parameters';
import { MAX_QUEUE_ID_LENGTH } from './queue-id';

export const deleteQueue = endpoint({
  method: 'DELETE',
  path: '/events',
  summary: 'Delete an event queue',
  auth: 'user',
  parameters: { queue_id: text(opaqueText(MAX_QUEUE_ID_LENGTH)) },
  result: z.strictObject({}),
  errors: ['BAD_EVENT_QUEUE_ID'],
  async handler({ services }, { call }, { queue_id: queueId }) {
    await services.events.deleteQueue(call, { queueId });
    return {};
  },
});
