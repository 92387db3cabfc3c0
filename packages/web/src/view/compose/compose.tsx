import { type Signal, useSignal } from '@preact/signals';
import type { Narrow } from '../../narrow/narrow';
import { read } from '../../store/model';
import { post } from '../../store/outbox';
import { texts } from '../../texts/texts';
import { titleOf } from '../base/titles';

/** Writes to the conversation of the view; in a channel with a topic. */
export function Compose({ narrow }: { narrow: Narrow }) {
  const { max_message_length, user_settings } = read('settings');
  const content = useSignal('');
  const topic = useSignal('');
  if (narrow.kind !== 'topic' && narrow.kind !== 'direct' && narrow.kind !== 'channel') return null;

  const send = (event: Event) => {
    event.preventDefault();
    const text = content.value.trim();
    if (text === '') return;
    const { kind } = narrow;
    post(kind === 'channel' ? { ...narrow, kind: 'topic', topic: topic.value.trim() } : narrow, text);
    content.value = '';
  };
  const sendsByEnter = user_settings?.['enter_sends'] !== false;
  const label = texts.value.messageTo(titleOf(narrow));
  return (
    <form class="compose" onSubmit={send}>
      {narrow.kind === 'channel' && <TopicField topic={topic} />}
      <textarea
        aria-label={label}
        placeholder={label}
        rows={2}
        maxLength={max_message_length}
        value={content.value}
        onInput={({ currentTarget }) => {
          content.value = currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (isSending(event, sendsByEnter)) send(event);
        }}
      />
      <button type="submit">{texts.value.send}</button>
    </form>
  );
}

function TopicField({ topic }: { topic: Signal<string> }) {
  const { max_topic_length } = read('settings');
  return (
    <input
      aria-label={texts.value.topic}
      placeholder={texts.value.topic}
      maxLength={max_topic_length}
      value={topic.value}
      onInput={({ currentTarget }) => {
        topic.value = currentTarget.value;
      }}
    />
  );
}

function isSending({ key, isComposing, shiftKey, ctrlKey, metaKey }: KeyboardEvent, sendsByEnter: boolean): boolean {
  return key === 'Enter' && !isComposing && !shiftKey && (sendsByEnter || ctrlKey || metaKey);
}
