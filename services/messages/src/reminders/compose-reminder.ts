import { BadRequestError } from '@parley/shared/errors';
import type { ComposedReminder, ComposeReminderRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { codePointLength, LIMITS } from '@parley/shared/values';
import type { Context } from '../context';
import { getMessage } from '../messages/get-message';
import { renderAs } from '../messages/render-as';
import { reminderText } from './reminder-text';

const NOTHING_NAMED = { mentionedNames: [], mentionedGroupNames: [], linkedChannelNames: [], emojiNames: [] };

/** What the notification bot will say to the caller about a message that they may read. */
export async function composeReminder(
  ctx: Context,
  caller: Caller,
  { messageId, note: typed }: ComposeReminderRequest,
): Promise<ComposedReminder> {
  const note = checkNote(typed);
  const [message, botId] = await Promise.all([getMessage(ctx, caller, { messageId }), findBot(ctx, caller)]);
  const content = reminderText(message, note);
  const { html: renderedContent } = await renderAs(ctx, { ...caller, userId: botId }, content, undefined, [
    caller.userId,
  ]);
  return { botId, content, renderedContent };
}

function checkNote(typed: string): string {
  const note = typed.trimEnd().replace(/^\n+/, '');
  const limit = LIMITS.reminderNoteLength;
  if (codePointLength(note) > limit) throw new BadRequestError(`Maximum reminder note length: ${limit} characters`);
  if (note.includes('\0')) throw new BadRequestError('Message must not contain null bytes');
  return note;
}

async function findBot(ctx: Context, caller: Caller): Promise<number> {
  const query = { channelIds: [], ...NOTHING_NAMED, withoutSend: true };
  const { notificationBot } = await ctx.services.realm.getEditFacts(caller, query);
  if (!notificationBot) throw new Error(`organization ${caller.realmId} has no notification bot`);
  return notificationBot.id;
}
