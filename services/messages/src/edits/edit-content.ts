import { ChangedMeanwhile, type Transaction } from '@parley/shared/db';
import { findReferences } from '@parley/shared/markdown';
import type { EditMessageResponse, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { type Replaced, replaceUploads } from '../content/claim-uploads';
import { type AllowedDestination, composeMessage, renderContent } from '../content/compose-message';
import type { Context } from '../context';
import { audienceOfMessage } from '../messages/edit-audiences';
import { channelKindsOf, type LoadedEditFacts } from '../messages/edit-facts';
import type { EditMark } from '../messages/edits.sql';
import type { MessageRow } from '../messages/message.sql';
import { findTopicMessages } from '../search/find-topic-messages';
import { checkMentions } from '../sending/prepare-message';
import { claimedIds, findUploads, previewFacts } from '../uploads/find-uploads';
import { type NewContent, updateContent } from './content-edit.sql';
import { editEvents } from './edit-events';
import type { Edit } from './edit-message';

export interface ContentEdit {
  next: NewContent;
  /** Files that it links to. */
  attachmentIds: number[];
  /** Linked pages, whose cards are added after the message is stored. */
  cardUrls: readonly string[];
}

/** Prepares the new content for storage; throws for mentions that the author may not use. */
export async function prepareContent(
  ctx: Context,
  caller: Caller,
  message: MessageRow,
  content: string,
  { send, channels }: LoadedEditFacts,
): Promise<ContentEdit> {
  const { topics, uploadPathIds } = findReferences(content);
  const channel = message.channelId === null ? null : channels.get(message.channelId)?.channel;
  const place: AllowedDestination = channel
    ? { kind: 'channel', channel, topic: message.topic }
    : { kind: 'direct', participants: (message.participantIds ?? []).map((id) => ({ id }) as User) };
  const topicMessageIds = await findTopicMessages(ctx, caller, topics, send.linkedChannels);
  const uploads = await findUploads(ctx, caller, uploadPathIds);
  const rendered = await ctx.rendering.run(caller.userId, content, () =>
    renderContent(content, send, ctx.config.EXTERNAL_HOST, topicMessageIds, previewFacts(ctx.config, uploads)),
  );
  const topicParticipantIds = (await checkMentions(ctx, send, place, rendered)) ?? [];
  const draft = { facts: send, place, content, clientName: message.clientName, readByIds: [] };
  const composed = composeMessage(draft, rendered, message.sentAtMs);
  const { mentionedIds, mentionedBotIds = [], mentionsChannel, mentionsTopic } = composed;
  const { renderedContent, isMeMessage } = composed.message;
  const next = {
    content,
    renderedContent,
    isMeMessage,
    mentionedIds,
    mentionedBotIds,
    mentionsChannel,
    mentionsTopic,
    topicParticipantIds,
  };
  return { next, attachmentIds: claimedIds(uploads, rendered), cardUrls: rendered.cardUrls };
}

/** Keeps the read state; replaces mentions and links with those of the new content. */
export async function storeContent(
  tx: Transaction,
  { caller, message, facts }: Pick<Edit, 'caller' | 'message' | 'facts'>,
  { next, attachmentIds }: ContentEdit,
  mark: EditMark,
): Promise<Replaced> {
  const { realmId, userId } = caller;
  await updateContent(tx, realmId, { ...message, conversationId: null, holderIds: null }, next, mark);
  const audience = audienceOfMessage(message, channelKindsOf(facts), [userId], message.holderIds);
  const { id: messageId, senderId: authorId } = message;
  return replaceUploads(tx, { realmId, messageId, authorId, attachmentIds, audience, nowMs: mark.editedAtMs });
}

type ContentOnly = Edit & { content: ContentEdit };

/** The message is not moved, and links to no uploaded files, before or after. */
export function isMereContent(edit: Edit): edit is ContentOnly {
  const { plan, message, content } = edit;
  const isMoved = plan.topic !== undefined || plan.channelId !== undefined;
  return !isMoved && content !== null && !message.hasUploads && content.attachmentIds.length === 0;
}

/** Stores the new content in one statement, unless the message has changed. */
export async function replaceContent(edit: ContentOnly): Promise<EditMessageResponse> {
  const { ctx, caller, message, content } = edit;
  if (content.next.content === message.content) return { detachedUploads: [] };
  const mark = { editId: null, actorId: caller.userId, editedAtMs: ctx.clock.now() };
  const events = editEvents({ ...edit, mentions: content.next }, mark, null);
  if (!(await updateContent(ctx.db, caller.realmId, message, content.next, mark, events))) throw new ChangedMeanwhile();
  ctx.db.onAnnounced();
  return { detachedUploads: [] };
}
