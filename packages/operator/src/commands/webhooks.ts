import type { WebhookDelivery } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { command } from '../command/command';
import { identifier, realm, text, withoutUndefined } from '../command/options';

/** Lists failed calls of outgoing webhook bots. */
export const webhooksList = command({
  services: ['scheduler'],
  summary: 'lists calls of outgoing webhook bots that failed within the last month',
  options: { realm },
  async run({ scheduler }, { realm: subdomain }) {
    const { deliveries } = await scheduler.listWebhookDeliveries(newCall(), { subdomain });
    return { deliveries: deliveries.map(publicDelivery) };
  },
});

function publicDelivery({ id, botId, messageId, calls, failure, endedAtMs }: WebhookDelivery) {
  return { id, bot_id: botId, message_id: messageId, calls, failed_at: new Date(endedAtMs).toISOString(), failure };
}

/** Repeats failed calls of outgoing webhook bots. */
export const webhooksReplay = command({
  services: ['scheduler'],
  summary: 'calls outgoing webhook bots again: one failed call, or all of them',
  options: { realm, id: identifier('N').optional() },
  examples: ['--realm acme', '--realm acme --id 17'],
  async run({ scheduler }, { realm: subdomain, id }) {
    const { replayed } = await scheduler.replayWebhookDeliveries(newCall(), {
      subdomain,
      ...withoutUndefined({ deliveryId: id }),
    });
    return { replayed };
  },
});

/** The secret with which a bot's receiver verifies calls. */
export const webhooksSecret = command({
  services: ['realm'],
  summary: "shows what an outgoing webhook bot's calls are signed with (Standard Webhooks)",
  options: { realm, bot: text('EMAIL') },
  async run({ realm: service }, { realm: subdomain, bot: botEmail }) {
    const { botId, signingSecret } = await service.getWebhookSecret(newCall(), { subdomain, botEmail });
    return { bot_id: botId, secret: signingSecret };
  },
});
