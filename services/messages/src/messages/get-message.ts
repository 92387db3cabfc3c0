import { BadRequestError, UnauthorizedError } from '@parley/shared/errors';
import type { GetMessageRequest, Message } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { isVisitor } from '@parley/shared/values';
import type { Context } from '../context';
import { channelsOf, loadReader } from './load-reader';
import { mayRead } from './permissions';
import { presentMessages } from './present-messages';
import { loadShownMessages } from './shown-message.sql';

/** One message, when the caller may read it; otherwise the answer does not tell whether it exists. */
export async function getMessage(ctx: Context, caller: Caller, { messageId }: GetMessageRequest): Promise<Message> {
  const rows = await loadShownMessages(ctx.db, caller.realmId, [messageId], caller.userId);
  const reader = await loadReader(ctx, caller, channelsOf(rows));
  const readable = rows.filter((row) => mayRead(row, reader));
  const [message] = await presentMessages(ctx, caller, readable, reader);
  if (!message) throw isVisitor(reader) ? notLoggedIn() : new BadRequestError('Invalid message(s)');
  return message;
}

/** Who is not signed in may find more when they are. */
function notLoggedIn(): UnauthorizedError {
  return new UnauthorizedError('Not logged in: API authentication or user session required');
}
