import type { Config } from '../config';

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
