import type { WelcomeBot } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { requireAdministrator } from '../guards';
import { getOwnUser } from '../users/get-own-user';
import { findSystemBotIds } from './system-bots.sql';

/** The bot that says to administrators what it would say to new people. */
export async function getWelcomeBot(ctx: Context, caller: Caller): Promise<WelcomeBot> {
  requireAdministrator(await getOwnUser(ctx, caller));
  const botIds = await findSystemBotIds(ctx.db, caller.realmId);
  return { userId: botIds.get('welcome-bot') as number };
}
