import type { CheckedMessage, SendMessageRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import type { NewStoredMessage } from './scheduled-message.sql';

/** The author's draft; a channel message when there is a channel. */
export interface Written {
  channelId: number | null;
  recipientIds: readonly number[];
  topic: string | undefined;
  content: string;
  deliverAtMs: number;
}

type Checked = Pick<NewStoredMessage, 'channelId' | 'recipientIds' | 'topic' | 'content' | 'renderedContent'>;

/** Renders and validates the message as if it were sent now; throws the errors of sending. */
export async function checkWithMessages(ctx: Context, caller: Caller, written: Written): Promise<Checked> {
  const checked = await ctx.services.messages.checkMessage(caller, {
    message: sendRequest(written),
    keepsUploadsUntilMs: written.deliverAtMs,
  });
  const { content, renderedContent, topic, channelId = null } = checked;
  return { channelId, recipientIds: recipientsOf(caller, checked), topic, content, renderedContent };
}

export function sendRequest({
  channelId,
  recipientIds,
  topic,
  content,
}: Omit<Written, 'deliverAtMs'>): SendMessageRequest {
  return {
    ...(channelId === null ? {} : { channelId }),
    isDirect: channelId === null,
    recipientIds: [...recipientIds],
    recipientEmails: [],
    ...(topic !== undefined && { topic }),
    content,
    isReadBySender: false,
    clientName: '',
  };
}

/** The other recipients, or the author alone. */
function recipientsOf({ userId }: Caller, { participantIds }: CheckedMessage): number[] {
  const others = participantIds.filter((id) => id !== userId);
  return others.length > 0 ? others : participantIds;
}
