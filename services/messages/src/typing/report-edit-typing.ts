import { announceEphemeral } from '@parley/shared/bus';
import { type EditTypingReported, editTypingReported } from '@parley/shared/events';
import type { ReportEditTypingRequest, ReportEditTypingResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { realmSettingsOf } from '@parley/shared/values';
import type { Context } from '../context';
import { checkContentEdit } from '../edits/permissions';
import { type AccessedMessage, accessMessage, audienceOf } from '../messages/access-message';
import type { MessageRow } from '../messages/message.sql';
import { checkTellsTyping } from './permissions';
import { typingAudience } from './typing-audience';

/** Tells those who have the message that its sender edits it, or no longer does; nothing is stored. */
export async function reportEditTyping(
  ctx: Context,
  caller: Caller,
  { messageId, isTyping }: ReportEditTypingRequest,
): Promise<ReportEditTypingResponse> {
  const accessed = await accessMessage(ctx, caller, messageId);
  checkMayEdit(accessed, ctx.clock.now());
  const audience = await typingAudience(ctx, caller, audienceOf(accessed));
  if (audience === null) return {};
  const report = { isTyping, senderId: caller.userId, messageId, place: placeOf(accessed.message), audience };
  await announceEphemeral(ctx, 'messages', editTypingReported(caller.realmId, report));
  return {};
}

/** Whoever begins an edit has to have the time for it: unlike the edit, this has no slack. */
function checkMayEdit({ message, reader, settings }: AccessedMessage, nowMs: number): void {
  checkContentEdit(message, realmSettingsOf(reader.realm), { actorId: reader.userId, nowMs }, 0);
  checkTellsTyping(settings, message.channelId === null);
}

function placeOf({ channelId, topic, participantIds }: MessageRow): EditTypingReported['place'] {
  return channelId === null ? { participantIds: participantIds ?? [] } : { channelId, topic };
}
