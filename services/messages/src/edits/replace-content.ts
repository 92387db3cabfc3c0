import { ChangedMeanwhile } from '@parley/shared/db';
import type { EditMessageResponse } from '@parley/shared/proto';
import { updateContent } from './content-edit.sql';
import type { ContentEdit } from './edit-content';
import { editEvents } from './edit-events';
import type { Edit } from './edit-message';

export type ContentOnly = Edit & { content: ContentEdit };

/** The message stays where it is, and links to no uploaded files, before or after. */
export function isMereContent(edit: Edit): edit is ContentOnly {
  const { plan, message, content } = edit;
  const isMoved = plan.topic !== undefined || plan.channelId !== undefined;
  return !isMoved && content !== null && !message.hasUploads && content.attachmentIds.length === 0;
}

/** Gives the message its new content in one statement, unless others were faster. */
export async function replaceContent(edit: ContentOnly): Promise<EditMessageResponse> {
  const { ctx, caller, message, content } = edit;
  if (content.next.content === message.content) return { detachedUploads: [] };
  const mark = { editId: null, actorId: caller.userId, editedAtMs: ctx.clock.now() };
  const [event] = editEvents({ ...edit, mentions: content.next }, mark, null);
  if (!(await updateContent(ctx.db, caller.realmId, message, content.next, mark, event))) throw new ChangedMeanwhile();
  ctx.db.onAnnounced();
  return { detachedUploads: [] };
}
