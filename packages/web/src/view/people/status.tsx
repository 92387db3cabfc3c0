import { useSignal } from '@preact/signals';
import { Smile, X } from 'lucide';
import { call } from '../../api/call';
import { read, type Status } from '../../store/model';
import { texts } from '../../texts/texts';
import { Dialog, showDialog } from '../base/dialog';
import { Icon, IconButton } from '../base/icon';
import { attempt } from '../base/notices';
import { pickEmoji } from '../emoji/pick-emoji';

export function statusOf(userId: number): Status | undefined {
  return read('presence').user_status?.[userId];
}

/** The emoji of somebody's status, with its text as the title. */
export function StatusEmoji({ userId }: { userId: number }) {
  const status = statusOf(userId);
  return status?.emoji_name ? <Emoji status={status} /> : null;
}

export function Emoji({ status }: { status: Status }) {
  const { emoji_name: name = '', emoji_code: code = '', reaction_type: kind, status_text: text } = status;
  const label = text || `:${name}:`;
  const image = kind === 'realm_emoji' ? read('settings').realm_emoji?.[code]?.source_url : undefined;
  return (
    <span class="status-emoji" role="img" aria-label={label} title={label}>
      {image ? <img src={image} alt="" width="16" height="16" /> : signOf(name, code, kind)}
    </span>
  );
}

function signOf(name: string, code: string, kind: string | undefined): string {
  if (kind !== 'unicode_emoji') return `:${name}:`;
  return String.fromCodePoint(...code.split('-').map((part) => Number.parseInt(part, 16)));
}

const MAX_TEXT_LENGTH = 60;
const SUGGESTED: readonly {
  emoji_name: string;
  emoji_code: string;
  text: 'inMeeting' | 'onWay' | 'sick' | 'onVacation' | 'fromHome';
}[] = [
  { emoji_name: 'calendar', emoji_code: '1f4c5', text: 'inMeeting' },
  { emoji_name: 'bus', emoji_code: '1f68c', text: 'onWay' },
  { emoji_name: 'hurt', emoji_code: '1f915', text: 'sick' },
  { emoji_name: 'palm_tree', emoji_code: '1f334', text: 'onVacation' },
  { emoji_name: 'house', emoji_code: '1f3e0', text: 'fromHome' },
];

/** Lets the person say what they do. */
export function showStatusDialog(): void {
  showDialog((close) => <StatusDialog close={close} />);
}

function StatusDialog({ close }: { close: () => void }) {
  const t = texts.value;
  const draft = useSignal<Status>(statusOf(read().user_id) ?? {});
  const change = (changes: Status) => {
    draft.value = { ...draft.value, ...changes };
  };
  const save = async (status: Status) => {
    const { status_text = '', emoji_name = '', emoji_code = '', reaction_type } = status;
    const emoji = emoji_name === '' ? { emoji_name, emoji_code } : { emoji_name, emoji_code, reaction_type };
    if (await attempt(() => call('POST', '/users/me/status', { status_text, ...emoji }))) close();
  };
  return (
    <Dialog title={t.setStatus} close={close}>
      <form
        class="status-form"
        onSubmit={(event) => {
          event.preventDefault();
          void save(draft.value);
        }}
      >
        <StatusFields status={draft.value} change={change} />
        <SuggestedStatuses take={change} />
        <footer>
          <button type="button" onClick={() => void save({})}>
            {t.clearStatus}
          </button>
          <button type="submit" class="main">
            {t.save}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

function StatusFields({ status, change }: { status: Status; change: (changes: Status) => void }) {
  const t = texts.value;
  return (
    <div class="status-fields">
      <button
        type="button"
        class="icon-button"
        aria-label={t.chooseEmoji}
        title={t.chooseEmoji}
        onClick={({ currentTarget }) => pickEmoji(currentTarget, change)}
      >
        {status.emoji_name ? <Emoji status={status} /> : <Icon of={Smile} />}
      </button>
      <input
        aria-label={t.status}
        placeholder={t.statusHint}
        maxLength={MAX_TEXT_LENGTH}
        value={status.status_text ?? ''}
        onInput={({ currentTarget }) => change({ status_text: currentTarget.value })}
      />
      {status.emoji_name && (
        <IconButton of={X} label={t.withoutEmoji} onClick={() => change({ emoji_name: '', emoji_code: '' })} />
      )}
    </div>
  );
}

function SuggestedStatuses({ take }: { take: (status: Status) => void }) {
  return (
    <ul class="suggested-statuses">
      {SUGGESTED.map(({ text, ...emoji }) => {
        const status: Status = { ...emoji, reaction_type: 'unicode_emoji', status_text: texts.value[text] };
        return (
          <li key={text}>
            <button type="button" onClick={() => take(status)}>
              <span aria-hidden="true">
                <Emoji status={status} />
              </span>{' '}
              {status.status_text}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
