import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { ApiError, call } from '../../api/call';
import { writingAt } from '../../store/composing';
import { keepSoon } from '../../store/drafts';
import { changeEdit, type Edit, edits, endEdit } from '../../store/editing';
import { rightsOver } from '../../store/message-rights';
import { deletedIn, message } from '../../store/messages';
import { onEvent, read } from '../../store/model';
import { noticeTyping, stopTyping } from '../../store/typing-notices';
import { texts } from '../../texts/texts';
import { attempt, say, wordsOf } from '../base/notices';
import { rawContentOf } from './message-actions';
import { select } from './selection';
import { hashOfText } from './text-hash';

/** Changes the text of a message in its place. */
export function EditBox({ id }: { id: number }) {
  const edit = edits.value.get(id);
  const problem = useSignal<string | null>(null);
  const isBusy = useSignal(false);
  if (!edit) return null;
  const leave = () => {
    endEdit(id);
    select(id);
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy.value) return;
    isBusy.value = true;
    problem.value = await save(edit);
    isBusy.value = false;
    if (problem.value === null) leave();
  };
  return (
    <form class="edit-box" onSubmit={submit}>
      <EditField edit={edit} submit={submit} leave={leave} />
      {problem.value !== null && <p role="alert">{problem.value}</p>}
      <footer>
        <button type="submit" class="main" disabled={isBusy.value}>
          {texts.value.save}
        </button>
        <button type="button" onClick={leave}>
          {texts.value.cancel}
        </button>
        <TimeLeft id={id} />
      </footer>
    </form>
  );
}

interface FieldProps {
  edit: Edit;
  submit: (event: Event) => Promise<void>;
  leave: () => void;
}

function EditField({ edit, submit, leave }: FieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  // Before the next key.
  useLayoutEffect(() => focusAtEnd(field.current), []);
  const subject = { kind: 'edit', messageId: edit.id } as const;
  useEffect(() => () => stopTyping(subject), []);
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Escape') leave();
    if (event.key === 'Enter' && !event.isComposing && (event.ctrlKey || event.metaKey || sendsByEnter(event)))
      void submit(event);
  };
  return (
    <textarea
      ref={field}
      aria-label={texts.value.editField}
      value={edit.text}
      dir="auto"
      rows={Math.min(12, edit.text.split('\n').length + 1)}
      maxLength={read('settings').max_message_length}
      onInput={({ currentTarget }) => {
        changeEdit({ ...edit, text: currentTarget.value });
        noticeTyping(subject);
      }}
      onKeyDown={onKeyDown}
    />
  );
}

function focusAtEnd(field: HTMLTextAreaElement | null): void {
  field?.focus({ preventScroll: true });
  field?.setSelectionRange(field.value.length, field.value.length);
  field?.scrollIntoView({ block: 'nearest' });
}

const sendsByEnter = ({ shiftKey }: KeyboardEvent) => !shiftKey && read().user_settings?.['enter_sends'] !== false;

/** Why it was not saved; null: it was. */
async function save(edit: Edit): Promise<string | null> {
  const { id, before, text } = edit;
  if (text.trim() === before.trim()) return null;
  try {
    const hash = await hashOfText(before);
    await call('PATCH', `/messages/${id}`, { content: text, ...(hash !== null && { prev_content_sha256: hash }) });
    return null;
  } catch (error) {
    return error instanceof ApiError && error.code === 'EXPECTATION_MISMATCH' ? takeOver(edit) : wordsOf(error);
  }
}

/** It was changed elsewhere meanwhile: says so with that text, and saving once more puts this one in its place. */
async function takeOver(edit: Edit): Promise<string> {
  const each = message(edit.id);
  const theirs = each && (await attempt(() => rawContentOf(each)));
  if (theirs !== undefined) changeEdit({ ...edit, before: theirs });
  return texts.value.editConflict(theirs ?? '');
}

// What was written is not lost with its message.
onEvent((event) => {
  for (const id of deletedIn(event)) {
    const edit = edits.value.get(id);
    if (!edit) continue;
    endEdit(id);
    if (edit.text.trim() !== edit.before.trim()) keepAsDraft(edit, event);
  }
});

/** In the conversation in which the message was in the end. */
function keepAsDraft({ conversation, text }: Edit, { stream_id: channelId, topic }: Record<string, unknown>): void {
  const isInTopic = conversation.kind === 'topic' && typeof channelId === 'number' && typeof topic === 'string';
  const writing = writingAt(isInTopic ? { kind: 'topic', channelId, topic } : conversation);
  if (!writing) return;
  writing.insert(text);
  keepSoon(writing);
  say(texts.value.editedIsDeleted);
}

function TimeLeft({ id }: { id: number }) {
  const now = useSignal(Date.now() / 1_000);
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = Date.now() / 1_000;
    }, 1_000);
    return () => clearInterval(timer);
  }, []);
  const each = message(id);
  const until = each && rightsOver(each, now.value).editableUntil;
  if (!until) return null;
  const seconds = Math.max(0, Math.floor(until - now.value));
  const left = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return <small class="time-left">{seconds > 0 ? texts.value.timeLeft(left) : texts.value.timeIsUp}</small>;
}
