import type { ScheduledMessage } from '@parley/shared/proto';
import type { JobKey } from '../due-jobs';

/** A scheduled message as it is kept. */
export interface StoredMessage extends Omit<ScheduledMessage, 'channelId' | 'hasFailed'> {
  realmId: number;
  userId: number;
  channelId: number | null;
  isReadBySender: boolean;
  clientName: string;
  failureMessage: string | null;
  /** Null until it was sent. */
  sentMessageId: number | null;
  revision: number;
}

/** Before it is stored. */
export type NewStoredMessage = Omit<StoredMessage, 'id' | 'failureMessage' | 'sentMessageId' | 'revision'>;

export const JOB_KIND = 'scheduled_message';

/** The job that sends it. */
export function jobOf({ realmId, id }: Pick<StoredMessage, 'realmId' | 'id'>): JobKey {
  return { realmId, kind: JOB_KIND, id };
}

/** As its author and other services see it. */
export function presentScheduledMessage(stored: StoredMessage): ScheduledMessage {
  const { id, channelId, recipientIds, topic, content, renderedContent, deliverAtMs, failureMessage } = stored;
  const place = channelId === null ? {} : { channelId };
  return {
    id,
    ...place,
    recipientIds,
    topic,
    content,
    renderedContent,
    deliverAtMs,
    hasFailed: failureMessage !== null,
  };
}
