import { useSignal } from '@preact/signals';
import type { Narrow } from '../narrow/narrow';
import { read } from '../store/model';
import { post } from '../store/outbox';
import { texts } from '../texts/texts';
import { titleOf } from './message-view';

/** Writes to the conversation of the view; in a channel with a topic. */
export function Compose({ narrow }: { narrow: Narrow }) {
  const { max_message_length, max_topic_length, user_settings } = read('settings');
  const content = useSignal('');
  const topic = useSignal('');
  if (narrow.kind !== 'topic' && narrow.kind !== 'direct' && narrow.kind !== 'channel') return null;

  const send = () => {
    const text = content.value.trim();
    if (text === '') return;
    post(
      narrow.kind === 'channel' ? { kind: 'topic', channelId: narrow.channelId, topic: topic.value.trim() } : narrow,
      text,
    );
    content.value = '';
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const sendsByEnter = user_settings?.['enter_sends'] !== false;
    const isSending =
      event.key === 'Enter' &&
      !event.isComposing &&
      !event.shiftKey &&
      (sendsByEnter || event.ctrlKey || event.metaKey);
    if (!isSending) return;
    event.preventDefault();
    send();
  };
  const label = texts.value.messageTo(titleOf(narrow));
  return (
    <form
      class="compose"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {narrow.kind === 'channel' && (
        <input
          aria-label={texts.value.topic}
          placeholder={texts.value.topic}
          maxLength={max_topic_length}
          value={topic.value}
          onInput={({ currentTarget }) => {
            topic.value = currentTarget.value;
          }}
        />
      )}
      <textarea
        aria-label={label}
        placeholder={label}
        rows={2}
        maxLength={max_message_length}
        value={content.value}
        onInput={({ currentTarget }) => {
          content.value = currentTarget.value;
        }}
        onKeyDown={onKeyDown}
      />
      <button type="submit">{texts.value.send}</button>
    </form>
  );
}
