import type { Bot } from '../proto';
import { publicBot } from '../wire';
import { declareEvent } from './declare-event';

export interface BotCreated {
  bot: Bot;
  /** Its owner and, unless it is for a private channel, the people who administer the organization. */
  managerIds: number[];
}

/** Somebody made a bot. Public event `realm_bot`, for those who manage it. */
export const botCreated = declareEvent<BotCreated>()('bot.created', [
  {
    type: 'realm_bot',
    audience: ({ managerIds }) => ({ to: 'users', userIds: managerIds }),
    variant: () => '',
    render: ({ bot }) => ({ type: 'realm_bot', op: 'add', bot: publicBot(bot) }),
  },
]);
