import { useEffect } from 'preact/hooks';
import { deletedIn } from '../../store/messages';
import { onEvent } from '../../store/model';

/** Calls `leave` when this message is deleted, or no longer seen. `messageId` undefined: what is shown is about no message. */
export function useDeletion(messageId: number | undefined, leave: () => void): void {
  useEffect(() => {
    if (messageId === undefined) return;
    return onEvent((event) => {
      if (deletedIn(event).includes(messageId)) leave();
    }) as () => void;
  }, [messageId]);
}
