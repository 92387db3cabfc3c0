import { NothingToDoError, ReactionAlreadyExistsError, ReactionDoesNotExistError } from '../../errors';
import type { EditMessageRequest } from '../../proto';
import { ANOTHER_ONE, hasKey, NEXT_ONES, REFUSED, type Repeats, TAKEN } from './repeat';

export const messagesRepeats: Repeats<'messages'> = {
  sendMessage: { when: hasKey },
  checkMessage: 'idempotent',
  composeReminder: 'read',
  matchNarrow: 'read',
  renderContent: 'read',
  updateFlags: 'idempotent',
  updateFlagsInNarrow: NEXT_ONES,
  markAllAsRead: 'idempotent',
  markChannelAsRead: 'idempotent',
  markTopicAsRead: 'idempotent',
  editMessage: { when: isMereContent },
  deleteMessage: { settledBy: NothingToDoError },
  deleteTopic: 'idempotent',
  deleteExpiredMessages: 'idempotent',
  purgeRealm: 'idempotent',
  addReaction: { settledBy: ReactionAlreadyExistsError },
  removeReaction: { settledBy: ReactionDoesNotExistError },
  addSubmessage: ANOTHER_ONE,
  reportTyping: 'idempotent',
  reportEditTyping: 'idempotent',
  setTopicPolicy: 'idempotent',
  createDrafts: { when: hasKey },
  updateDraft: 'idempotent',
  deleteDraft: { settledBy: NothingToDoError },
  createSavedSnippet: { when: hasKey },
  updateSavedSnippet: 'idempotent',
  deleteSavedSnippet: { settledBy: NothingToDoError },
  reportMessage: ANOTHER_ONE,
  erasePerson: 'idempotent',
  fillMessages: ANOTHER_ONE,
  beginUpload: ANOTHER_ONE,
  advanceUpload: { when: ({ attempt }) => attempt !== '' },
  completeUpload: REFUSED,
  deleteAttachment: REFUSED,
  settleThumbnails: 'idempotent',
  takePendingThumbnails: TAKEN,
  expireUploads: 'idempotent',
  forgetUploads: 'idempotent',
  setUploadQuota: 'idempotent',
  refillLog: ANOTHER_ONE,
};

/** A repeated move, and a repeated edit that names the content it replaces, are refused. */
function isMereContent({ topic, channelId, prevContentSha256 }: EditMessageRequest): boolean {
  return topic === undefined && channelId === undefined && prevContentSha256 === undefined;
}
