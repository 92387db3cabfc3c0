import { Copy } from 'lucide';
import { useRef } from 'preact/hooks';
import { settingsTexts } from '../../texts/settings-texts';
import { copyText } from '../base/copy';
import { Dialog, showDialog } from '../base/dialog';
import { IconButton } from '../base/icon';

/** Shows something once that people copy: a key, a link. */
export function showSecret(title: string, secret: string, note?: string): void {
  showDialog((close) => (
    <Dialog title={title} close={close}>
      <p>{note ?? settingsTexts.value.shownOnce}</p>
      <Copyable text={secret} label={title} />
    </Dialog>
  ));
}

export function Copyable({ text, label }: { text: string; label: string }) {
  const field = useRef<HTMLInputElement>(null);
  const copy = async () => {
    field.current?.select();
    await copyText(text);
  };
  return (
    <span class="copyable">
      <input
        ref={field}
        readOnly
        value={text}
        aria-label={label}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <IconButton of={Copy} label={settingsTexts.value.copy} onClick={() => void copy()} />
    </span>
  );
}
