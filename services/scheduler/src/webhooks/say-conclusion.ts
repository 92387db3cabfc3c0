import type { ClaimedJob } from '@parley/shared/jobs';
import { silentMention } from '@parley/shared/notice-text';
import type { SendMessageRequest, User } from '@parley/shared/proto';
import { truncate } from '@parley/shared/values';
import { failureOrThrow, sendingCaller } from '../base/sending';
import type { Context } from '../context';
import { type CalledBot, JOB_KIND } from './delivery';
import type { Conclusion, Delivery, Reply } from './delivery.sql';

/** The client name shown for the message. */
const CLIENT_NAME = 'OutgoingWebhookResponse';

type Needed = Pick<Context, 'services'>;

/** The message's part in a delivery. */
type Part = 'reply' | 'refusal' | 'owner';

interface Saying {
  job: ClaimedJob;
  delivery: Delivery;
  called: CalledBot;
}

/** Sends the messages of a call's outcome, each once: the reply to the conversation and the notice to the owner. */
export async function sayConclusion(
  ctx: Needed,
  saying: Saying,
  { reply, toOwner, failure }: Conclusion,
): Promise<void> {
  const refusal = reply && (await answer(ctx, saying, 'reply', reply));
  // If the channel is deleted, the failure notice has no destination either.
  const isReplyRefused = refusal !== null && failure === null;
  if (isReplyRefused) await answer(ctx, saying, 'refusal', { content: `Failure! ${refusal}` });
  const notice = isReplyRefused ? replyWasRefused(refusal) : toOwner;
  if (notice !== null) await notifyOwner(ctx, saying, notice);
}

/** Sends a reply; returns the reason of a refusal, or null when it was sent. */
function answer(ctx: Needed, saying: Saying, part: Part, reply: Reply): Promise<string | null> {
  const { channelId, topic, participants } = saying.delivery.message;
  const recipientIds = participants.map(({ id }) => id);
  const place = channelId === undefined ? { isDirect: true, recipientIds } : { isDirect: false, channelId, topic };
  return send(ctx, saying, part, { ...place, ...reply, isAnswer: true });
}

async function notifyOwner(ctx: Needed, saying: Saying, notice: string): Promise<void> {
  const { bot, isOwnerActive } = saying.called;
  if (bot.botOwnerId === undefined || !isOwnerActive) return;
  const content = ownerNotice(bot, saying.delivery.messageHref, notice);
  await send(ctx, saying, 'owner', { isDirect: true, recipientIds: [bot.botOwnerId], content });
}

type Sent = Partial<SendMessageRequest> & Pick<SendMessageRequest, 'isDirect' | 'content'>;

async function send({ services }: Needed, { job, delivery }: Saying, part: Part, sent: Sent): Promise<string | null> {
  const { realmId, id, botId, replays } = delivery;
  try {
    await services.messages.sendMessage(sendingCaller(realmId, botId), {
      recipientIds: [],
      recipientEmails: [],
      isReadBySender: false,
      clientName: CLIENT_NAME,
      jobKey: `${JOB_KIND}:${id}:${replays}:${part}`,
      ...sent,
    });
    return null;
  } catch (error) {
    return failureOrThrow(error, job);
  }
}

/** Length of a bot's answer as shown to its owner. */
const MAX_SHOWN_LENGTH = 2_000;
const SHORTEST_FENCE = 3;

export const DISALLOWED_ADDRESS = 'The URL configured for the webhook is for a private or disallowed network.';
export const NO_CONNECTION = 'A connection error occurred. Is my bot server down?';

export function timedOut(timeoutSecs: number): string {
  return `Request timed out after ${timeoutSecs} seconds.`;
}

export function gotStatus(status: number): string {
  return status === 407 ? DISALLOWED_ADDRESS : `The webhook got a response with status code *${status}*.`;
}

export function exceptionOccurred(type: string, text: string): string {
  return `When trying to send a request to the webhook service, an exception of type ${type} occurred:\n${codeBlock(text)}`;
}

function replyWasRefused(why: string): string {
  return [
    'The outgoing webhook server attempted to send a message in Parley, but that request resulted in the following error:',
    why.replace(/^/gm, '> '),
  ].join('\n');
}

/** The bot's answer as a further line; empty when there was none. */
export function payloadOf(body: string): string {
  return body === '' ? '' : `\nThe response contains the following payload:\n${codeBlock(body)}`;
}

function codeBlock(text: string): string {
  const shown = truncate(text, MAX_SHOWN_LENGTH, '…').replaceAll('\0', '');
  const longestRun = Math.max(0, ...(shown.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(Math.max(SHORTEST_FENCE, longestRun + 1));
  return `${fence}\n${shown}\n${fence}`;
}

/** The notice to the owner about a failed call. */
function ownerNotice(bot: User, messageHref: string, what: string): string {
  const name = /[*\n|]/.test(bot.fullName) ? silentMention(bot) : `@_**${bot.fullName}**`;
  return `[A message](${messageHref}) to your bot ${name} triggered an outgoing webhook.\n${what}`;
}
