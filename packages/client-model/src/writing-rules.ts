import type { Rules } from './rules';
import { add, type Item, listOf, replace, type State, take } from './state';

/** Drafts, snippets, files, and scheduled messages of one account. */
export const writingRules: Rules = {
  'drafts/add'(state, { drafts }) {
    for (const draft of drafts as Item[]) add(listOf(state, 'drafts'), 'id', draft);
    sortDrafts(state);
  },
  'drafts/update'(state, { draft }) {
    replace(listOf(state, 'drafts'), 'id', draft as Item);
    sortDrafts(state);
  },
  'drafts/remove'(state, { draft_id: id }) {
    take(listOf(state, 'drafts'), 'id', [id]);
  },
  'saved_snippets/add'(state, { saved_snippet: snippet }) {
    add(listOf(state, 'saved_snippets'), 'id', snippet as Item);
  },
  'saved_snippets/update'(state, { saved_snippet: snippet }) {
    replace(listOf(state, 'saved_snippets'), 'id', snippet as Item);
  },
  'saved_snippets/remove'(state, { saved_snippet_id: id }) {
    take(listOf(state, 'saved_snippets'), 'id', [id]);
  },
  'scheduled_messages/add'(state, { scheduled_messages: messages }) {
    const list = listOf(state, 'scheduled_messages');
    for (const message of messages as Item[]) add(list, 'scheduled_message_id', message);
    sortTimed(list, 'scheduled_message_id');
  },
  'scheduled_messages/update'(state, { scheduled_message: message }) {
    const list = listOf(state, 'scheduled_messages');
    replace(list, 'scheduled_message_id', message as Item);
    sortTimed(list, 'scheduled_message_id');
  },
  'scheduled_messages/remove'(state, { scheduled_message_id: id }) {
    take(listOf(state, 'scheduled_messages'), 'scheduled_message_id', [id]);
  },
  'reminders/add'(state, { reminders }) {
    const list = listOf(state, 'reminders');
    for (const reminder of reminders as Item[]) add(list, 'reminder_id', reminder);
    sortTimed(list, 'reminder_id');
  },
  'reminders/remove'(state, { reminder_id: id }) {
    take(listOf(state, 'reminders'), 'reminder_id', [id]);
  },
  'attachment/add': (state, { attachment }) => forFiles(state, (files) => add(files, 'id', attachment as Item)),
  'attachment/update': (state, { attachment }) => forFiles(state, (files) => replace(files, 'id', attachment as Item)),
  'attachment/remove': (state, { attachment }) =>
    forFiles(state, (files) => take(files, 'id', [(attachment as Item)['id']])),
};

/** Sorted by time of the last edit, newest first. */
function sortDrafts(state: State): void {
  listOf(state, 'drafts').sort((a, b) => rank(b) - rank(a) || (b['id'] as number) - (a['id'] as number));
}

/** Earliest first. */
function sortTimed(list: Item[], idName: string): void {
  const timeOf = ({ scheduled_delivery_timestamp: time }: Item) => time as number;
  list.sort((a, b) => timeOf(a) - timeOf(b) || (a[idName] as number) - (b[idName] as number));
}

const rank = ({ timestamp }: Item) => timestamp as number;

/** Only for clients that have fetched their files, which are not part of registering. */
function forFiles(state: State, apply: (files: Item[]) => void): void {
  if ('attachments' in state) apply(listOf(state, 'attachments'));
}
