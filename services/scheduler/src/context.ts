import type { DueJobs } from '@parley/shared/jobs';
import type { OutsideHttp } from '@parley/shared/outside-http';
import type { RpcClient } from '@parley/shared/rpc';
import type { BaseContext } from '@parley/shared/service';
import type { Config } from './config';

/** The dependencies of actions. */
export interface Context extends BaseContext<Config> {
  services: { realm: RpcClient<'realm'>; messages: RpcClient<'messages'>; invites: RpcClient<'invites'> };
  /** HTTP client for the addresses of bots. */
  outside: OutsideHttp;
  /** Runners of due jobs; woken after each change of a schedule. */
  dueJobs: Readonly<Record<'scheduledMessages' | 'reminders' | 'webhooks' | 'missedMails', Pick<DueJobs, 'wake'>>>;
}
