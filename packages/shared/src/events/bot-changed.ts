import type { Bot, User } from '../proto';
import { type PublicBot, publicBot } from '../wire';
import { declareEvent } from './declare-event';

/** What is the bot's own and may change, by its name in the API; the rest is told by the events of accounts. */
export type BotProperty = Exclude<
  keyof PublicBot,
  'user_id' | 'email' | 'bot_type' | 'owner_id' | 'is_active' | 'avatar_url'
>;

export interface BotChanged {
  /** As it is now. */
  bot: Bot;
  property: BotProperty;
  /** Its owner and, unless it is for a private channel, the people who administer the organization. */
  managerIds: number[];
}

/** One thing is different about a bot. Public event `realm_bot`, for those who manage it. */
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
