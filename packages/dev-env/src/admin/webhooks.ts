import type { WebhookDelivery } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import type { CommandOf } from './command';

/** Lists what outgoing webhook bots could not be told. */
export const webhooksList: CommandOf<'scheduler'> = {
  service: 'scheduler',
  about: 'lists calls of outgoing webhook bots that failed within the last month',
  required: { realm: 'SUBDOMAIN' },
  optional: {},
  async run(scheduler, options) {
    const { deliveries } = await scheduler.listWebhookDeliveries(newCall(), { subdomain: options.text('realm') });
    return { deliveries: deliveries.map(publicDelivery) };
  },
};

function publicDelivery({ id, botId, messageId, calls, failure, endedAtMs }: WebhookDelivery) {
  return { id, bot_id: botId, message_id: messageId, calls, failed_at: new Date(endedAtMs).toISOString(), failure };
}

/** Tells bots anew of what they could not be told. */
export const webhooksReplay: CommandOf<'scheduler'> = {
  service: 'scheduler',
  about: 'calls outgoing webhook bots again: one failed call, or all of them',
  required: { realm: 'SUBDOMAIN' },
  optional: { id: 'N' },
  async run(scheduler, options) {
    const deliveryId = options.optionalInteger('id');
    const { replayed } = await scheduler.replayWebhookDeliveries(newCall(), {
      subdomain: options.text('realm'),
      ...(deliveryId !== undefined && { deliveryId }),
    });
    return { replayed };
  },
};

/** What a bot's receiver verifies its calls with. */
export const webhooksSecret: CommandOf<'realm'> = {
  service: 'realm',
  about: "shows what an outgoing webhook bot's calls are signed with (Standard Webhooks)",
  required: { realm: 'SUBDOMAIN', bot: 'EMAIL' },
  optional: {},
  async run(realm, options) {
    const { botId, signingSecret } = await realm.getWebhookSecret(newCall(), {
      subdomain: options.text('realm'),
      botEmail: options.text('bot'),
    });
    return { bot_id: botId, secret: signingSecret };
  },
};
