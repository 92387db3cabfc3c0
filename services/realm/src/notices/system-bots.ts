import type { WelcomeBot } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { getOwnUser } from '../accounts/get-own-user';
import { requireAdministrator } from '../base/guards';
import type { Config } from '../config';
import type { Context } from '../context';
import { findSystemBotIds } from './system-bots.sql';

/** The bot as which administrators preview the welcome message. */
export async function getWelcomeBot(ctx: Context, caller: Caller): Promise<WelcomeBot> {
  requireAdministrator(await getOwnUser(ctx, caller));
  const botIds = await findSystemBotIds(ctx.db, caller.realmId);
  return { userId: botIds.get('welcome-bot') as number };
}

/** The system bots: one of each in every organization. */
export type SystemBot = 'notification-bot' | 'welcome-bot';

export interface SystemBotAccount {
  systemBot: SystemBot;
  fullName: string;
  email: string;
}

/** The names and addresses of the system bots on this server. */
export function systemBotAccounts(config: Config): SystemBotAccount[] {
  const { NOTIFICATION_BOT_NAME, WELCOME_BOT_NAME, SYSTEM_BOT_DOMAIN } = config;
  const account = (systemBot: SystemBot, fullName: string) => {
    return { systemBot, fullName, email: `${systemBot}@${SYSTEM_BOT_DOMAIN}` };
  };
  return [account('notification-bot', NOTIFICATION_BOT_NAME), account('welcome-bot', WELCOME_BOT_NAME)];
}
