import type { SendMessageRequest } from '@parley/shared/proto';
import type { Context } from '../context';
import type { ClaimedJob } from '../due-jobs';
import { failureOrThrow } from '../schedule/failure';
import { sendingCaller } from '../schedule/sending-caller';
import type { CalledBot } from './called-bot';
import { type Conclusion, type Delivery, JOB_KIND, type Reply } from './delivery';
import { ownerNotice, replyWasRefused } from './owner-notice';

/** What the message is shown to come from. */
const CLIENT_NAME = 'OutgoingWebhookResponse';

type Needed = Pick<Context, 'services'>;

/** Which message of a delivery. */
type Part = 'reply' | 'refusal' | 'owner';

interface Saying {
  job: ClaimedJob;
  delivery: Delivery;
  called: CalledBot;
}

/** The bot says what came of a call, each part of it once: where it was called and to its owner. Nobody else can be told anything. */
export async function sayConclusion(
  ctx: Needed,
  saying: Saying,
  { reply, toOwner, failure }: Conclusion,
): Promise<void> {
  const refusal = reply && (await answer(ctx, saying, 'reply', reply));
  // A channel that is gone hears of no failure either.
  const isReplyRefused = refusal !== null && failure === null;
  if (isReplyRefused) await answer(ctx, saying, 'refusal', { content: `Failure! ${refusal}` });
  const notice = isReplyRefused ? replyWasRefused(refusal) : toOwner;
  if (notice !== null) await tellOwner(ctx, saying, notice);
}

/** Answers why it was refused; null: it was sent. */
function answer(ctx: Needed, saying: Saying, part: Part, reply: Reply): Promise<string | null> {
  const { channelId, topic, participants } = saying.delivery.message;
  const recipientIds = participants.map(({ id }) => id);
  const place = channelId === undefined ? { isDirect: true, recipientIds } : { isDirect: false, channelId, topic };
  return send(ctx, saying, part, { ...place, ...reply, isAnswer: true });
}

async function tellOwner(ctx: Needed, saying: Saying, notice: string): Promise<void> {
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
