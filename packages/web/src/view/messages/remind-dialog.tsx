import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { call } from '../../api/call';
import { CallKey } from '../../store/call-key';
import type { Message } from '../../store/messages';
import { read } from '../../store/model';
import { texts } from '../../texts/texts';
import { Dialog, showDialog } from '../base/dialog';
import { attempt, say } from '../base/notices';
import { fieldTimeOf, remindTimes } from './remind-times';
import { shortTimeOf } from './times';

/** Has a message sent to oneself later. */
export function showRemind({ id }: Message): void {
  showDialog((close) => <RemindDialog id={id} close={close} />);
}

function RemindDialog({ id, close }: { id: number; close: () => void }) {
  const note = useSignal('');
  const ownKey = useRef(new CallKey());
  const t = texts.value;
  const remind = async (at: Date) => {
    const scheduled_delivery_timestamp = Math.floor(at.getTime() / 1_000);
    const reminder = { message_id: id, scheduled_delivery_timestamp, ...(note.value !== '' && { note: note.value }) };
    const key = ownKey.current.of(reminder);
    if (!(await attempt(() => call('POST', '/reminders', reminder, { key })))) return;
    say(t.reminderSet(shortTimeOf(at)));
    close();
  };
  return (
    <Dialog title={t.remindMe} messageId={id} close={close}>
      <div class="form">
        <label>
          {t.reminderNote}
          <input
            value={note.value}
            maxLength={read('settings').max_reminder_note_length}
            onInput={({ currentTarget }) => (note.value = currentTarget.value)}
          />
        </label>
        <div class="remind-times">
          {remindTimes(new Date()).map(({ kind, at }) => (
            <button key={kind} type="button" onClick={() => void remind(at)}>
              {t.remindAt[kind]} <small>{shortTimeOf(at)}</small>
            </button>
          ))}
        </div>
      </div>
      <OtherTime take={remind} />
    </Dialog>
  );
}

function OtherTime({ take }: { take: (at: Date) => Promise<void> }) {
  const chosen = useSignal('');
  const submit = (event: Event) => {
    event.preventDefault();
    void take(new Date(chosen.value));
  };
  return (
    <form class="form" onSubmit={submit}>
      <label>
        {texts.value.remindOther}
        <input
          type="datetime-local"
          required
          min={fieldTimeOf(new Date())}
          value={chosen.value}
          onInput={({ currentTarget }) => (chosen.value = currentTarget.value)}
        />
      </label>
      <footer>
        <button type="submit" class="main">
          {texts.value.remindMe}
        </button>
      </footer>
    </form>
  );
}
