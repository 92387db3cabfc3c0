import type { DueJobs } from '@parley/shared/jobs';
import type { OutsideHttp } from '@parley/shared/outside-http';
import type { RpcClient } from '@parley/shared/rpc';
import type { BaseContext } from '@parley/shared/service';
import type { Config } from './config';
import type { PushCarriers } from './push/carriers';

/** The dependencies of actions. */
export interface Context extends BaseContext<Config> {
  services: { realm: RpcClient<'realm'>; messages: RpcClient<'messages'>; invites: RpcClient<'invites'> };
  /** HTTP client for the addresses of bots. */
  outside: OutsideHttp;
  /** Those who carry notifications to devices. */
  pushCarriers: PushCarriers;
  /** Runners of due jobs; woken after each change of a schedule. */
  dueJobs: Readonly<
    Record<'scheduledMessages' | 'reminders' | 'webhooks' | 'missedMails' | 'pushes', Pick<DueJobs, 'wake'>>
  >;
}
