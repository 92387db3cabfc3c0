import { declareEvent } from './declare-event';

export interface BotLost {
  botId: number;
  /** Who managed it until now. */
  userIds: number[];
}

/** Users manage a bot no more, which is as it was. Public event `realm_bot`, for those users. */
export const botLost = declareEvent<BotLost>()('bot.lost', [
  {
    type: 'realm_bot',
    audience: ({ userIds }) => ({ to: 'users', userIds }),
    variant: () => '',
    render: ({ botId }) => ({ type: 'realm_bot', op: 'delete', bot: { user_id: botId } }),
  },
]);
