import type { Context } from '../context';
import type { CalledBot } from './called-bot';
import { type Delivery, deliveryName } from './delivery';
import { type Outcome, outcomeOfAnswer, outcomeOfError } from './outcome';
import { SLACK_INTERFACE, webhookHeaders, webhookRequest } from './webhook-request';

const MAX_ANSWER_BYTES = 1_048_576;
const METHOD = 'POST';

type Needed = Pick<Context, 'outside' | 'clock' | 'config'>;

const NOT_FOR_SLACK: Outcome = {
  kind: 'failure',
  said: "Slack outgoing webhooks don't support direct messages.",
  toOwner: null,
  reason: 'direct message',
  isPassing: false,
};

/** Tells a bot of a message; never throws for what the bot does. */
export async function callWebhook(
  { outside, clock, config }: Needed,
  delivery: Delivery,
  called: CalledBot,
): Promise<Outcome> {
  const { message } = delivery;
  const { payloadUrl: url, interface: format } = called.webhook;
  if (format === SLACK_INTERFACE && message.channelId === undefined) return NOT_FOR_SLACK;
  const request = webhookRequest(message, called, config.EXTERNAL_HOST);
  const headers = webhookHeaders(request, called, { id: deliveryName(delivery), nowMs: clock.now() });
  const timeoutSecs = config.OUTGOING_WEBHOOK_TIMEOUT_SECS;
  const bounds = { timeoutMs: timeoutSecs * 1_000, maxBytes: MAX_ANSWER_BYTES };
  try {
    return outcomeOfAnswer(await outside({ url, method: METHOD, headers, body: request.body, ...bounds }), format);
  } catch (error) {
    return outcomeOfError(error, { text: message.content, timeoutSecs });
  }
}
