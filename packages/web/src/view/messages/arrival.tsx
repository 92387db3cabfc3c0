import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { trusted } from '../../api/trusted';
import type { MessageList } from '../../store/message-list';
import { messageNow } from '../../store/messages';
import { personName, read } from '../../store/model';

/** Reads aloud to users of screen readers what arrives in the conversation that they have open. */
export function Arrival({ list }: { list: MessageList }) {
  const text = useSignal('');
  const lastId = list.hasNewest.value ? list.ids.value.at(-1) : undefined;
  const formerId = useRef(lastId);
  useEffect(() => {
    const isNew = formerId.current !== undefined && lastId !== undefined && lastId > formerId.current;
    if (isNew) text.value = spokenOf(lastId);
    if (lastId !== undefined) formerId.current = lastId;
  }, [lastId]);
  return (
    <p class="hidden" aria-live="polite">
      {text.value}
    </p>
  );
}

/** One's own messages need no reading. */
function spokenOf(id: number): string {
  const each = messageNow(id);
  if (!each || each.sender_id === read().user_id) return '';
  return `${personName(each.sender_id)}: ${trusted.createFragment(each.content).textContent}`;
}
