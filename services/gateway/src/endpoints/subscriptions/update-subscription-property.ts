import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { boundedText, json, pathId, text } from '../../http/parameters';
import { propertyChange, propertyValue } from './subscription-parameters';

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
