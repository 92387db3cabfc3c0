import type { JobKey } from '@parley/shared/jobs';
import type { Message, OutgoingWebhook, User, WebhookBot } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import type { Context } from '../context';

export const JOB_KIND = 'webhook';

/** So many calls of one bot are under way at once, in all replicas: a slow bot holds up nobody else. */
export const CALLS_PER_BOT = 4;

/** What comes of a call. */
export interface Conclusion {
  /** What the bot says where it was called. */
  reply: Reply | null;
  /** What the bot tells its owner. */
  toOwner: string | null;
  /** Why it failed, for the operator; null: it did not. */
  failure: string | null;
}

export interface Reply {
  /** Markdown. */
  content: string;
  widgetContent?: string;
}

export interface Delivery {
  realmId: number;
  id: number;
  botId: number;
  message: Message;
  messageHref: string;
  state: 'waiting' | 'under_way' | 'done' | 'dead';
  replays: number;
  conclusion: Conclusion | null;
}

/** The job that makes a delivery. */
export function deliveryJob(realmId: number, id: number): JobKey {
  return { realmId, kind: JOB_KIND, id };
}

/** By what a receiver knows a delivery again, of which it gets several calls when it does not answer. */
export function deliveryName({ realmId, id }: Pick<Delivery, 'realmId' | 'id'>): string {
  return `msg_${realmId}_${id}`;
}

/** A bot with all that a call of it takes. */
export type CalledBot = WebhookBot & { bot: User; webhook: OutgoingWebhook };

/** As it is now; null when it was deactivated since. */
export async function findCalledBot(
  { services }: Pick<Context, 'services'>,
  { realmId, botId }: Delivery,
): Promise<CalledBot | null> {
  const { bots } = await services.realm.getWebhookBots(newCall(), { realmId, namedIds: [botId], groupMemberIds: [] });
  return (bots[0] as CalledBot | undefined) ?? null;
}
