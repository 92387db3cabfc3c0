import type { TopicLink } from '../proto';
import { displayTopic, toSeconds } from '../values';
import { publicTopicLinks } from '../wire';
import type { Audience } from './audience';
import { type ClientView, declareEvent, type OwnFlags } from './declare-event';
import { type FlagFacts, flagsFor } from './message-flags';

export interface ContentChange {
  prevContent: string;
  prevRenderedContent: string;
  content: string;
  renderedContent: string;
  isMeMessage: boolean;
}

export interface Move {
  propagateMode: string;
  prevTopic: string;
  /** Absent: only the channel changed. */
  topic?: string;
  topicLinks?: readonly TopicLink[];
  /** Absent: only the topic changed. */
  channelId?: number;
}

/** Includes the facts that determine every user's flags on the message, besides their own. */
export interface MessageEdited extends FlagFacts {
  /** Null: the message was only rendered again. */
  editorId: number | null;
  editedAtMs: number;
  messageId: number;
  /** Ascending; includes the edited message. */
  messageIds: readonly number[];
  /** Their former location; absent for direct messages. */
  channel?: { id: number; name: string };
  content?: ContentChange;
  move?: Move;
  audience: Audience;
}

/** Messages were edited or moved, or rendered again. Public event `update_message`, for users who keep access to them. */
export const messageEdited = declareEvent<MessageEdited>()('message.edited', [
  {
    type: 'update_message',
    audience: ({ audience }) => audience,
    variant: (view) => `${view.isEmptyTopicUnderstood}`,
    render: (payload, view) => ({
      type: 'update_message',
      user_id: payload.editorId,
      rendering_only: payload.editorId === null,
      edit_timestamp: toSeconds(payload.editedAtMs),
      message_id: payload.messageId,
      message_ids: payload.messageIds,
      ...(payload.channel && { stream_id: payload.channel.id, stream_name: payload.channel.name }),
      ...contentMembers(payload),
      ...moveMembers(payload, view),
    }),
    flaggedMessageId: ({ messageId }) => messageId,
    personal: (payload) => {
      const flagsOf = flagsFor(payload);
      return (receiver) => ({ flags: flagsOf(receiver, receiver.ownFlags as OwnFlags) });
    },
  },
]);

function contentMembers({ content, editorId }: MessageEdited): Record<string, unknown> {
  if (content === undefined) return {};
  const { prevContent, prevRenderedContent, renderedContent, isMeMessage } = content;
  return {
    ...(editorId !== null && { orig_content: prevContent, orig_rendered_content: prevRenderedContent }),
    content: content.content,
    rendered_content: renderedContent,
    is_me_message: isMeMessage,
  };
}

function moveMembers({ move }: MessageEdited, { isEmptyTopicUnderstood }: ClientView): Record<string, unknown> {
  if (move === undefined) return {};
  const { propagateMode, prevTopic, topic, topicLinks = [], channelId } = move;
  return {
    propagate_mode: propagateMode,
    orig_subject: displayTopic(prevTopic, isEmptyTopicUnderstood),
    ...(topic !== undefined && {
      subject: displayTopic(topic, isEmptyTopicUnderstood),
      topic_links: publicTopicLinks(topicLinks),
    }),
    ...(channelId !== undefined && { new_stream_id: channelId }),
  };
}
