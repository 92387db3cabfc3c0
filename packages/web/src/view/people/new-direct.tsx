import { useSignal } from '@preact/signals';
import { write } from '../../store/composing';
import { texts } from '../../texts/texts';
import { Dialog, showDialog } from '../base/dialog';
import { PickPeople } from './pick-people';

/** Asks with whom, and opens the conversation. */
export function showNewDirect(): void {
  showDialog((close) => <NewDirect close={close} />);
}

function NewDirect({ close }: { close: () => void }) {
  const chosen = useSignal<readonly number[]>([]);
  const t = texts.value;
  const open = (event: Event) => {
    event.preventDefault();
    if (chosen.value.length === 0) return;
    close();
    write('', { kind: 'direct', userIds: chosen.value });
  };
  return (
    <Dialog title={t.newDirect} close={close}>
      <form onSubmit={open}>
        <PickPeople chosen={chosen} label={t.withWhom} />
        <footer>
          <button type="submit" class="main" disabled={chosen.value.length === 0}>
            {t.openConversation}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
