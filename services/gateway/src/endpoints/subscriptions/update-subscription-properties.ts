import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { boundedText, json } from '../../http/parameters';
import { propertyChange, propertyValue } from './subscription-parameters';

/** Each is four values of those that a parameter may have. */
const MAX_CHANGES = 5_000;

const changes = z
  .array(z.object({ stream_id: z.int(), property: boundedText(100), value: propertyValue }))
  .max(MAX_CHANGES)
  .describe('In this order; the value is a colour for the property `color`, else whether it is so.');

export const updateSubscriptionProperties = endpoint({
  method: 'POST',
  path: '/users/me/subscriptions/properties',
  summary: 'Change what the caller has set for channels',
  auth: 'user',
  parameters: { subscription_data: json(changes) },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { subscription_data: sent }) {
    await services.realm.updateSubscriptionProperties(call, {
      changes: sent.map(({ stream_id: channelId, property, value }) => propertyChange(channelId, property, value)),
    });
    return {};
  },
});
