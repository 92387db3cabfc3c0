import type { Bot, User } from '../proto';
import { type PublicBot, publicBot } from '../wire';
import type { Audience } from './audience';
import { declareEvent, type PublicShape } from './declare-event';

export interface BotCreated {
  bot: Bot;
  /** Its owner and, unless it is for a private channel, the organization's administrators. */
  managerIds: number[];
}

/** A bot was created. Public event `realm_bot`, for its managers. */
export const botCreated = declareEvent<BotCreated>()('bot.created', [
  {
    type: 'realm_bot',
    audience: ({ managerIds }) => ({ to: 'users', userIds: managerIds }),
    variant: () => '',
    render: ({ bot }) => ({ type: 'realm_bot', op: 'add', bot: publicBot(bot) }),
  },
]);

/** The bot's own properties that may change, by their names in the API; events of accounts carry the others. */
export type BotProperty = Exclude<
  keyof PublicBot,
  'user_id' | 'full_name' | 'email' | 'bot_type' | 'owner_id' | 'is_active' | 'avatar_url'
>;

export interface BotChanged {
  /** After the change. */
  bot: Bot;
  property: BotProperty;
  /** Its owner and, unless it is for a private channel, the organization's administrators. */
  managerIds: number[];
}

/** A property of a bot has changed. Public event `realm_bot`, for its managers. */
export const botChanged = declareEvent<BotChanged>()('bot.changed', [
  {
    type: 'realm_bot',
    audience: ({ managerIds }) => ({ to: 'users', userIds: managerIds }),
    variant: () => '',
    render: ({ bot, property }) => ({
      type: 'realm_bot',
      op: 'update',
      bot: { user_id: (bot.user as User).id, [property]: publicBot(bot)[property] },
    }),
  },
]);

export interface BotOwnerChanged {
  /** After the change. */
  bot: Bot;
  /** The former owner, if they no longer manage it. */
  lostByIds: number[];
  /** The new owner, if they did not manage it before. */
  gainedByIds: number[];
  /** Its managers before and after the change. */
  keptByIds: number[];
}

const userOf = ({ bot }: BotOwnerChanged) => bot.user as User;

/** A bot has another owner. Public events `realm_bot`, for its present and former managers, and `realm_user`, for everybody. */
export const botOwnerChanged = declareEvent<BotOwnerChanged>()('bot.owner-changed', [
  shape(
    ({ lostByIds: userIds }) => ({ to: 'users', userIds }),
    (payload) => ({ type: 'realm_bot', op: 'delete', bot: { user_id: userOf(payload).id } }),
  ),
  shape(
    ({ gainedByIds: userIds }) => ({ to: 'users', userIds }),
    ({ bot }) => ({ type: 'realm_bot', op: 'add', bot: publicBot(bot) }),
  ),
  shape(
    ({ keptByIds: userIds }) => ({ to: 'users', userIds }),
    (payload) => {
      const { id, botOwnerId } = userOf(payload);
      return { type: 'realm_bot', op: 'update', bot: { user_id: id, owner_id: botOwnerId ?? null } };
    },
  ),
  {
    type: 'realm_user',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: (payload) => {
      const { id, botOwnerId } = userOf(payload);
      return { type: 'realm_user', op: 'update', person: { user_id: id, bot_owner_id: botOwnerId ?? null } };
    },
  },
]);

function shape(
  audience: (payload: BotOwnerChanged) => Audience,
  render: PublicShape<BotOwnerChanged>['render'],
): PublicShape<BotOwnerChanged> {
  return { type: 'realm_bot', audience, variant: () => '', render };
}

export interface BotLost {
  botId: number;
  /** Its former managers. */
  userIds: number[];
}

/** Users no longer manage an unchanged bot. Public event `realm_bot`, for those users. */
export const botLost = declareEvent<BotLost>()('bot.lost', [
  {
    type: 'realm_bot',
    audience: ({ userIds }) => ({ to: 'users', userIds }),
    variant: () => '',
    render: ({ botId }) => ({ type: 'realm_bot', op: 'delete', bot: { user_id: botId } }),
  },
]);

/** The candidates for bots that a message calls. */
export interface WebhookCall {
  /** Outgoing webhook bots mentioned by name or, for a direct message, among its receivers. */
  botIds: number[];
  /** For a channel message: members of mentioned groups; the scheduler determines which of them are subscribed webhook bots. */
  groupMemberIds: number[];
}

export interface WebhookBotsCalled extends WebhookCall {
  messageId: number;
  /** The sender, a person. */
  senderId: number;
  /** For a channel message. */
  channelId?: number;
  /** The message's location, for a link. */
  messageHref: string;
}

/** A message was stored that outgoing webhook bots must get; the scheduler calls them. */
export const webhookBotsCalled = declareEvent<WebhookBotsCalled>()('webhook-bots.called', []);
