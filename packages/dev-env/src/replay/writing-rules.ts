import type { Rules } from './rules';
import { type Item, listOf, put, type State, take } from './state';

/** Drafts, snippets, files, and what is to be sent later: what one account keeps for what it writes. */
export const writingRules: Rules = {
  'drafts/add'(state, { drafts }) {
    for (const draft of drafts as Item[]) putDraft(state, draft);
  },
  'drafts/update': (state, { draft }) => putDraft(state, draft as Item),
  'drafts/remove'(state, { draft_id: id }) {
    take(listOf(state, 'drafts'), 'id', [id]);
  },
  'saved_snippets/add'(state, { saved_snippet: snippet }) {
    put(listOf(state, 'saved_snippets'), 'id', snippet as Item);
  },
  'saved_snippets/update'(state, { saved_snippet: snippet }) {
    put(listOf(state, 'saved_snippets'), 'id', snippet as Item);
  },
  'saved_snippets/remove'(state, { saved_snippet_id: id }) {
    take(listOf(state, 'saved_snippets'), 'id', [id]);
  },
  'scheduled_messages/add'(state, { scheduled_messages: messages }) {
    for (const message of messages as Item[]) putTimed(state, 'scheduled_messages', 'scheduled_message_id', message);
  },
  'scheduled_messages/update'(state, { scheduled_message: message }) {
    putTimed(state, 'scheduled_messages', 'scheduled_message_id', message as Item);
  },
  'scheduled_messages/remove'(state, { scheduled_message_id: id }) {
    take(listOf(state, 'scheduled_messages'), 'scheduled_message_id', [id]);
  },
  'reminders/add'(state, { reminders }) {
    for (const reminder of reminders as Item[]) putTimed(state, 'reminders', 'reminder_id', reminder);
  },
  'reminders/remove'(state, { reminder_id: id }) {
    take(listOf(state, 'reminders'), 'reminder_id', [id]);
  },
  'attachment/add': (state, { attachment }) => putFile(state, attachment as Item),
  'attachment/update': (state, { attachment }) => putFile(state, attachment as Item),
  'attachment/remove'(state, { attachment }) {
    if (!('attachments' in state)) return;
    take(listOf(state, 'attachments'), 'id', [(attachment as Item)['id']]);
  },
};

/** The draft that was edited last comes first. */
function putDraft(state: State, draft: Item): void {
  const drafts = listOf(state, 'drafts');
  put(drafts, 'id', draft);
  drafts.sort((a, b) => rank(b) - rank(a) || (b['id'] as number) - (a['id'] as number));
}

/** What comes first stands first. */
function putTimed(state: State, name: string, idName: string, item: Item): void {
  const list = listOf(state, name);
  put(list, idName, item);
  const timeOf = ({ scheduled_delivery_timestamp: time }: Item) => time as number;
  list.sort((a, b) => timeOf(a) - timeOf(b) || (a[idName] as number) - (b[idName] as number));
}

const rank = ({ timestamp }: Item) => timestamp as number;

/** Only of clients that have asked for their files: registering does not tell of them. */
function putFile(state: State, attachment: Item): void {
  if (!('attachments' in state)) return;
  put(listOf(state, 'attachments'), 'id', attachment);
}
