import type { WelcomeBot } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { getOwnUser } from '../accounts/get-own-user';
import { requireAdministrator } from '../base/guards';
import type { Config } from '../config';
import type { Context } from '../context';
import { findSystemBotIds } from './system-bots.sql';

/** The bot that says to administrators what it would say to new people. */
export async function getWelcomeBot(ctx: Context, caller: Caller): Promise<WelcomeBot> {
  requireAdministrator(await getOwnUser(ctx, caller));
  const botIds = await findSystemBotIds(ctx.db, caller.realmId);
  return { userId: botIds.get('welcome-bot') as number };
}

/** The accounts with which the service itself speaks: one of each in every organization. */
export type SystemBot = 'notification-bot' | 'welcome-bot';

export interface SystemBotAccount {
  systemBot: SystemBot;
  fullName: string;
  email: string;
}

/** What the bots are called on this server. */
export function systemBotAccounts(config: Config): SystemBotAccount[] {
  const { NOTIFICATION_BOT_NAME, WELCOME_BOT_NAME, SYSTEM_BOT_DOMAIN } = config;
  const account = (systemBot: SystemBot, fullName: string) => {
    return { systemBot, fullName, email: `${systemBot}@${SYSTEM_BOT_DOMAIN}` };
  };
  return [account('notification-bot', NOTIFICATION_BOT_NAME), account('welcome-bot', WELCOME_BOT_NAME)];
}
