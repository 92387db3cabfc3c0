import { declareEvent } from './declare-event';

/** Whom a message calls. */
export interface WebhookCall {
  /** Outgoing webhook bots that it mentions by name or, a direct message, that get it. */
  botIds: number[];
  /** Of a channel message: members of the groups that it mentions; who of them is such a bot, and subscribed, is not known yet. */
  groupMemberIds: number[];
}

export interface WebhookBotsCalled extends WebhookCall {
  messageId: number;
  /** A person. */
  senderId: number;
  /** Of a channel message. */
  channelId?: number;
  /** Where the message is, for a link. */
  messageHref: string;
}

/** A message was stored that bots are told of; the scheduler calls them. */
export const webhookBotsCalled = declareEvent<WebhookBotsCalled>()('webhook-bots.called', []);
