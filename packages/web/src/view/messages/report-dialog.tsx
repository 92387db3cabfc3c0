import { type Signal, useSignal } from '@preact/signals';
import { call } from '../../api/call';
import { read } from '../../store/model';
import { texts } from '../../texts/texts';
import { Dialog, showDialog } from '../base/dialog';
import { attempt, say } from '../base/notices';

const MOST_WORDS = 1_000;

/** Tells moderators about a message. */
export function showReport(id: number): void {
  showDialog((close) => <ReportDialog id={id} close={close} />);
}

function ReportDialog({ id, close }: { id: number; close: () => void }) {
  const type = useSignal(read('settings').server_report_message_types[0]?.key ?? 'other');
  const description = useSignal('');
  const t = texts.value;
  const submit = async (event: Event) => {
    event.preventDefault();
    const report = { report_type: type.value, description: description.value };
    const answer = await attempt(() => call('POST', `/messages/${id}/report`, report));
    if (!answer) return;
    say(t.reported);
    close();
  };
  return (
    <Dialog title={t.report} messageId={id} close={close}>
      <form class="form" onSubmit={submit}>
        <p>{t.reportHint}</p>
        <ReasonField type={type} />
        <label>
          {t.reportDetails}
          <textarea
            rows={3}
            maxLength={MOST_WORDS}
            required={type.value === 'other'}
            value={description.value}
            onInput={({ currentTarget }) => (description.value = currentTarget.value)}
          />
        </label>
        <footer>
          <button type="submit" class="main">
            {t.report}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

function ReasonField({ type }: { type: Signal<string> }) {
  return (
    <label>
      {texts.value.reportReason}
      <select value={type.value} onChange={({ currentTarget }) => (type.value = currentTarget.value)}>
        {read('settings').server_report_message_types.map(({ key, name }) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
