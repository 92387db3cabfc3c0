import type { Caller } from '@parley/shared/rpc';
import type { StoredMessage } from './scheduled-message';
import { scheduledMessageDoesNotExist, scheduledMessageWasSent } from './scheduled-message-errors';

/** The message, if it is the caller's and can still be changed; throws otherwise. */
export function accessOwn({ userId }: Pick<Caller, 'userId'>, message: StoredMessage | null): StoredMessage {
  if (message?.userId !== userId) throw scheduledMessageDoesNotExist();
  if (message.sentMessageId !== null) throw scheduledMessageWasSent();
  return message;
}
