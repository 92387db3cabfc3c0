import { texts } from '../../texts/texts';
import { Dialog, showDialog } from '../base/dialog';
import { keyCommands } from '../base/keys';

const SIGNS: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  ' ': '␣',
};

/** All keys that do something now. */
export function showKeyHelp(): void {
  const commands = keyCommands().map(({ keys, title }) => ({ keys, title: title() }));
  showDialog((close) => (
    <Dialog title={texts.value.keyboard} close={close} class="key-help">
      <dl>
        {commands.map(({ keys, title }) => (
          <div key={`${keys.join()} ${title}`}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{signOf(key)}</kbd>
              ))}
            </dt>
            <dd>{title}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  ));
}

/** Capitals are pressed with Shift. */
function signOf(key: string): string {
  if (/^[A-Z]$/.test(key)) return `⇧ ${key}`;
  return SIGNS[key] ?? key;
}
