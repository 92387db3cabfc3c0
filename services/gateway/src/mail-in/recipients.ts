import { PublicError } from '@parley/shared/errors';
import {
  type ChannelMailOption,
  hashMailInToken,
  type MailInAddress,
  parseMailInAddress,
} from '@parley/shared/mail-in';
import type { ReplyAddress, SendMessageRequest } from '@parley/shared/proto';
import { type Caller, newCall } from '@parley/shared/rpc';
import type { Context } from '../context';
import { noSuchAddress } from './smtp-refusal';

/** Where the message of a mail goes; a channel's mail has the topic of its subject. */
export type Place = Pick<SendMessageRequest, 'isDirect' | 'recipientIds' | 'channelId' | 'topic'>;

interface Poster {
  realmId: number;
  /** In whose name the message is sent. */
  userId: number;
  /** Stands for the address in logs, counts and keys: it gives no access. */
  key: string;
}

export type ReplyRecipient = Poster & { kind: 'reply'; place: Place };

export type ChannelRecipient = Poster & {
  kind: 'channel';
  channelId: number;
  /** The sender is the notification bot: the address's owner has the right to post, not the bot. */
  isSentByService: boolean;
  options: ReadonlySet<ChannelMailOption>;
};

/** The envelope sender of a mail to a user, to which servers report that it was not delivered. */
export type BounceRecipient = Poster & { kind: 'bounce' };

export type Recipient = ReplyRecipient | ChannelRecipient | BounceRecipient;

type Needed = Pick<Context, 'config' | 'services' | 'rateLimits'>;

/** A call in the name of the message's sender, with its own deadline. */
export function callerOf({ realmId, userId }: Pick<Poster, 'realmId' | 'userId'>, requestId: string): Caller {
  return { ...newCall(requestId), realmId, userId };
}

/** Who gets mail to that address. Throws SmtpRefusal, RATE_LIMIT_HIT, and errors of services. */
export async function resolveRecipient(ctx: Needed, address: string, requestId: string): Promise<Recipient> {
  const parsed = parseMailInAddress(address, ctx.config.MAIL_IN_DOMAIN ?? '');
  if (parsed === null) throw noSuchAddress();
  const key = hashMailInToken(parsed.token).toString('base64url').slice(0, 22);
  const recipient = await find(ctx, parsed, key, requestId);
  if (recipient === null) throw noSuchAddress();
  ctx.rateLimits.countMail(key);
  return recipient;
}

async function find(ctx: Needed, parsed: MailInAddress, key: string, requestId: string): Promise<Recipient | null> {
  const { kind, token, options } = parsed;
  const { realm, scheduler } = ctx.services;
  if (kind === 'channel') {
    const { address } = await realm.findChannelMailAddress(newCall(requestId), { token });
    if (!address) return null;
    const { realmId, channelId, senderId: userId, isSentByService } = address;
    return { kind, realmId, userId, key, channelId, isSentByService, options };
  }
  const { address } = await scheduler.findReplyAddress(newCall(requestId), { token });
  if (!address) return null;
  const poster = { realmId: address.realmId, userId: address.userId, key };
  if (kind === 'bounce') return { kind, ...poster };
  const place = await placeOf(ctx, address, requestId);
  return (await mayWrite(ctx, poster, place, requestId)) ? { kind, ...poster, place } : null;
}

/** Where the answered message is by now; where it was, if it is gone or can no longer be read. */
async function placeOf({ services }: Needed, address: ReplyAddress, requestId: string): Promise<Place> {
  const { messageId } = address;
  try {
    const message = await services.messages.getMessage(callerOf(address, requestId), { messageId });
    const { channelId, topic, participants } = message;
    return placeIn({ channelId, topic, participantIds: participants.map(({ id }) => id) });
  } catch (error) {
    if (!(error instanceof PublicError) || error.httpStatus >= 500) throw error;
    return placeIn(address);
  }
}

type Conversation = Pick<ReplyAddress, 'topic' | 'participantIds'> & { channelId?: number | undefined };

function placeIn({ channelId, topic, participantIds }: Conversation): Place {
  if (channelId === undefined) return { isDirect: true, recipientIds: participantIds };
  return { isDirect: false, recipientIds: [], channelId, topic };
}

/** Whether the user could write there now. */
async function mayWrite({ services }: Needed, poster: Poster, to: Place, requestId: string): Promise<boolean> {
  const message = { ...to, recipientEmails: [], content: '?', isReadBySender: true, clientName: '', jobKey: 'mail' };
  try {
    await services.messages.checkMessage(callerOf(poster, requestId), { message, keepsUploadsUntilMs: 0 });
    return true;
  } catch (error) {
    if (error instanceof PublicError && error.httpStatus < 500) return false;
    throw error;
  }
}
