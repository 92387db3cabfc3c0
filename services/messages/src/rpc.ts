import { readOutboxLag, refillLog } from '@parley/shared/bus';
import { byCaller, type Implementation } from '@parley/shared/rpc';
import { getExportSize } from './archive/get-export-size';
import { getChannelActivity } from './channels/get-channel-activity';
import { getClientState, getMessageState, getWritings } from './client-state/client-state';
import { findNewestReceived } from './client-state/newest-received';
import { renderContent } from './content/render-as';
import { settleThumbnails, takePendingThumbnails } from './content/thumbnails';
import type { Context } from './context';
import { deleteMessage, deleteTopic } from './deletions/delete-message';
import { deleteExpiredMessages, erasePerson, purgeRealm } from './deletions/purge';
import { createDrafts, deleteDraft, getDrafts, updateDraft } from './drafts/drafts';
import { editMessage } from './edits/edit-message';
import { fillMessages } from './fill/fill-messages';
import { getDigest } from './flags/get-digest';
import { getReadReceipts } from './flags/get-read-receipts';
import { markAllAsRead, markChannelAsRead, markTopicAsRead } from './flags/mark-as-read';
import { updateFlags, updateFlagsInNarrow } from './flags/update-flags';
import { getMessageHistory } from './messages/get-message-history';
import { getPersonalFlags } from './messages/personal-flags';
import { addReaction, removeReaction } from './reactions/reactions';
import { composeReminder, findPurged, findUnreadable } from './reminders/reminders';
import { reportMessage } from './reports/report-message';
import {
  createSavedSnippet,
  deleteSavedSnippet,
  getSavedSnippets,
  updateSavedSnippet,
} from './saved-snippets/saved-snippets';
import { getMessage, getMessages, matchNarrow } from './search/get-messages';
import { checkMessage } from './sending/prepare-message';
import { sendMessage } from './sending/send-message';
import { addSubmessage } from './submessages/add-submessage';
import { getPoliciesOfTopics, listTopicPolicies, setTopicPolicy } from './topic-policies/topic-policies';
import { listTopics } from './topics/list-topics';
import { reportEditTyping, reportTyping } from './typing/report-typing';
import { deleteAttachment, getAttachment, listAttachments } from './uploads/attachments';
import { expireUploads, forgetUploads } from './uploads/expire-uploads';
import { advanceUpload, beginUpload, completeUpload, getUpload, getUploadProgress } from './uploads/resumable-uploads';
import { getUploadQuota, setUploadQuota } from './uploads/upload-quota';

/** Before they change anything they call realm on behalf of the caller, or their answer comes from realm. */
export const CONFIRMED_WITHIN = [
  'sendMessage',
  'editMessage',
  'addReaction',
  'removeReaction',
  'updateFlags',
  'updateFlagsInNarrow',
  'markChannelAsRead',
  'markTopicAsRead',
  'reportTyping',
  'getMessage',
  'getMessages',
  'getMessageHistory',
  'getReadReceipts',
  'matchNarrow',
  'listTopics',
] as const;

/** Every method of proto/messages.proto and its action. */
export function implementation(ctx: Context): Implementation<'messages'> {
  return { ...messageMethods(ctx), ...stateMethods(ctx), ...uploadMethods(ctx), ...upkeepMethods(ctx) };
}

/** Send, read and change messages. */
function messageMethods(ctx: Context) {
  return {
    sendMessage: byCaller((caller, request) => sendMessage(ctx, caller, request)),
    checkMessage: byCaller((caller, request) => checkMessage(ctx, caller, request)),
    getMessage: byCaller((caller, request) => getMessage(ctx, caller, request)),
    getMessages: byCaller((caller, request) => getMessages(ctx, caller, request)),
    matchNarrow: byCaller((caller, request) => matchNarrow(ctx, caller, request)),
    renderContent: byCaller((caller, request) => renderContent(ctx, caller, request)),
    editMessage: byCaller((caller, request) => editMessage(ctx, caller, request)),
    getMessageHistory: byCaller((caller, request) => getMessageHistory(ctx, caller, request)),
    deleteMessage: byCaller((caller, request) => deleteMessage(ctx, caller, request)),
    deleteTopic: byCaller((caller, request) => deleteTopic(ctx, caller, request)),
    addReaction: byCaller((caller, request) => addReaction(ctx, caller, request)),
    removeReaction: byCaller((caller, request) => removeReaction(ctx, caller, request)),
    addSubmessage: byCaller((caller, request) => addSubmessage(ctx, caller, request)),
    reportMessage: byCaller((caller, request) => reportMessage(ctx, caller, request)),
    composeReminder: byCaller((caller, request) => composeReminder(ctx, caller, request)),
    findUnreadable: byCaller((caller, request) => findUnreadable(ctx, caller, request)),
    findPurged: (_call, request) => findPurged(ctx, request),
    reportTyping: byCaller((caller, request) => reportTyping(ctx, caller, request)),
    reportEditTyping: byCaller((caller, request) => reportEditTyping(ctx, caller, request)),
  } satisfies Partial<Implementation<'messages'>>;
}

/** The state of a user: flags, topics, drafts, snippets. */
function stateMethods(ctx: Context) {
  return {
    getMessageState: byCaller((caller, request) => getMessageState(ctx, caller, request)),
    getDigest: byCaller((caller, request) => getDigest(ctx, caller, request)),
    findNewestReceived: byCaller((caller, request) => findNewestReceived(ctx, caller, request)),
    getClientState: byCaller((caller, request) => getClientState(ctx, caller, request)),
    updateFlags: byCaller((caller, request) => updateFlags(ctx, caller, request)),
    updateFlagsInNarrow: byCaller((caller, request) => updateFlagsInNarrow(ctx, caller, request)),
    markAllAsRead: byCaller((caller) => markAllAsRead(ctx, caller)),
    markChannelAsRead: byCaller((caller, request) => markChannelAsRead(ctx, caller, request)),
    markTopicAsRead: byCaller((caller, request) => markTopicAsRead(ctx, caller, request)),
    getReadReceipts: byCaller((caller, request) => getReadReceipts(ctx, caller, request)),
    getPersonalFlags: (_call, request) => getPersonalFlags(ctx, request),
    listTopics: byCaller((caller, request) => listTopics(ctx, caller, request)),
    setTopicPolicy: byCaller((caller, request) => setTopicPolicy(ctx, caller, request)),
    getPoliciesOfTopics: (_call, request) => getPoliciesOfTopics(ctx, request),
    listTopicPolicies: byCaller((caller) => listTopicPolicies(ctx, caller)),
    getChannelActivity: byCaller((caller, request) => getChannelActivity(ctx, caller, request)),
    getDrafts: byCaller((caller) => getDrafts(ctx, caller)),
    createDrafts: byCaller((caller, request) => createDrafts(ctx, caller, request)),
    updateDraft: byCaller((caller, request) => updateDraft(ctx, caller, request)),
    deleteDraft: byCaller((caller, request) => deleteDraft(ctx, caller, request)),
    getSavedSnippets: byCaller((caller) => getSavedSnippets(ctx, caller)),
    createSavedSnippet: byCaller((caller, request) => createSavedSnippet(ctx, caller, request)),
    updateSavedSnippet: byCaller((caller, request) => updateSavedSnippet(ctx, caller, request)),
    deleteSavedSnippet: byCaller((caller, request) => deleteSavedSnippet(ctx, caller, request)),
    getWritings: byCaller((caller, request) => getWritings(ctx, caller, request)),
  } satisfies Partial<Implementation<'messages'>>;
}

/** Uploaded files, their thumbnails, and the size of an export. */
function uploadMethods(ctx: Context) {
  return {
    beginUpload: byCaller((caller, request) => beginUpload(ctx, caller, request)),
    getUploadProgress: byCaller((caller, request) => getUploadProgress(ctx, caller, request)),
    advanceUpload: byCaller((caller, request) => advanceUpload(ctx, caller, request)),
    completeUpload: byCaller((caller, request) => completeUpload(ctx, caller, request)),
    getUpload: byCaller((caller, request) => getUpload(ctx, caller, request)),
    listAttachments: byCaller((caller) => listAttachments(ctx, caller)),
    getAttachment: byCaller((caller, request) => getAttachment(ctx, caller, request)),
    deleteAttachment: byCaller((caller, request) => deleteAttachment(ctx, caller, request)),
    getExportSize: byCaller((caller, request) => getExportSize(ctx, caller, request)),
    settleThumbnails: (_call, request) => settleThumbnails(ctx, request),
    takePendingThumbnails: () => takePendingThumbnails(ctx),
    expireUploads: () => expireUploads(ctx),
    forgetUploads: (_call, request) => forgetUploads(ctx, request),
    getUploadQuota: (_call, request) => getUploadQuota(ctx, request),
    setUploadQuota: (call, request) => setUploadQuota(ctx, call, request),
  } satisfies Partial<Implementation<'messages'>>;
}

/** Called by operators and by other services' periodic tasks. */
function upkeepMethods(ctx: Context) {
  return {
    deleteExpiredMessages: (call, request) => deleteExpiredMessages(ctx, call, request),
    purgeRealm: (_call, request) => purgeRealm(ctx, request),
    erasePerson: (_call, request) => erasePerson(ctx, request),
    fillMessages: (call, request) => fillMessages(ctx, call, request),
    getOutboxLag: () => readOutboxLag(ctx.db),
    refillLog: ({ requestId }, request) => refillLog(ctx.db, { service: 'messages', requestId }, request),
  } satisfies Partial<Implementation<'messages'>>;
}
