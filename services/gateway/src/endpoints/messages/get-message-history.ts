import type { MessageSnapshot } from '@parley/shared/proto';
import { displayTopic, toSeconds } from '@parley/shared/values';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { listInSlices } from '../../http/json-pieces';
import { json, pathId } from '../../http/parameters';

const snapshotSchema = z.strictObject({
  user_id: z.int().nullable(),
  timestamp: z.int(),
  topic: z.string().describe('Empty for direct messages.'),
  content: z.string().optional(),
  rendered_content: z.string().optional(),
  prev_content: z.string().optional(),
  prev_rendered_content: z.string().optional(),
  content_html_diff: z.string().optional(),
  prev_topic: z.string().optional(),
  prev_stream: z.int().optional(),
  stream: z.int().optional(),
});

export const getMessageHistory = endpoint({
  method: 'GET',
  path: '/messages/{message_id}/history',
  summary: "Get a message's edit history, oldest first",
  auth: 'user',
  parameters: { message_id: pathId(), allow_empty_topic_name: json(z.boolean().default(false)) },
  result: z.strictObject({ message_history: z.array(snapshotSchema) }),
  errors: [],
  async handler({ services }, { call }, { message_id: messageId, allow_empty_topic_name: isEmptyTopicUnderstood }) {
    const { snapshots, isDirect } = await services.messages.getMessageHistory(call, { messageId });
    const shown = (topic: string) => (isDirect ? '' : displayTopic(topic, isEmptyTopicUnderstood));
    return { message_history: await listInSlices(snapshots, (snapshot) => publicSnapshot(snapshot, shown), call) };
  },
});

function publicSnapshot(snapshot: MessageSnapshot, shown: (topic: string) => string) {
  const { userId, editedAtMs, topic, content, prevContent, contentHtmlDiff, prevTopic, prevChannelId } = snapshot;
  return {
    user_id: userId,
    timestamp: toSeconds(editedAtMs),
    topic: shown(topic),
    ...(content !== undefined && { content, rendered_content: snapshot.renderedContent }),
    ...(prevContent !== undefined && {
      prev_content: prevContent,
      prev_rendered_content: snapshot.prevRenderedContent,
      content_html_diff: contentHtmlDiff,
    }),
    ...(prevTopic !== undefined && { prev_topic: shown(prevTopic) }),
    ...(prevChannelId !== undefined && { prev_stream: prevChannelId, stream: snapshot.channelId }),
  };
}
