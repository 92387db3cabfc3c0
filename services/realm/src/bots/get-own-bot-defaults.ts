import type { OwnBotDefaults } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { findBot } from './bots.sql';

/** What the caller's queues are for unless they say otherwise; of people, and the service's own bots, nothing in particular. */
export async function getOwnBotDefaults(ctx: Context, { realmId, userId }: Caller): Promise<OwnBotDefaults> {
  const row = await findBot(ctx.db, realmId, userId);
  if (row === null) return { hearsAllPublicChannels: false };
  const { eventsChannel, bot } = row;
  return { ...(eventsChannel !== null && { eventsChannel }), hearsAllPublicChannels: bot.hearsAllPublicChannels };
}
