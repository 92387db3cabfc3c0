export { getReadReceipts } from './get-read-receipts';
export { markAllAsRead } from './mark-all-as-read';
export { markChannelAsRead } from './mark-channel-as-read';
export { markTopicAsRead } from './mark-topic-as-read';
export { updateFlags } from './update-flags';
export { updateFlagsInNarrow } from './update-flags-in-narrow';
