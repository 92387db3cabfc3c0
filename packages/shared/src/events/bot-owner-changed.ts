import type { Bot, User } from '../proto';
import { publicBot } from '../wire';
import type { Audience } from './audience';
import { declareEvent, type PublicShape } from './declare-event';

export interface BotOwnerChanged {
  /** As it is now. */
  bot: Bot;
  /** The former owner, unless they see it still. */
  lostByIds: number[];
  /** The owner, unless they have seen it before. */
  gainedByIds: number[];
  /** Those who manage it before and after. */
  keptByIds: number[];
}

const userOf = ({ bot }: BotOwnerChanged) => bot.user as User;

/** A bot belongs to somebody else. Public events `realm_bot`, for those who manage it, or did, and `realm_user`, for everybody. */
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
