import { MessageSquarePlus, PenLine } from 'lucide';
import { useLayoutEffect } from 'preact/hooks';
import type { Narrow } from '../../narrow/narrow';
import { current, focusRequests, newMessage, startMessage, writingAt } from '../../store/composing';
import { go } from '../../store/place';
import { texts } from '../../texts/texts';
import { Icon } from '../base/icon';
import { useKeys } from '../base/keys';
import { ComposeBox } from './compose-box';

/** Writes to the conversation of the view; elsewhere buttons begin a message. */
export function Compose({ narrow }: { narrow: Narrow }) {
  const writing = newMessage.value ?? writingAt(narrow);
  // Before the next key, which may put a text there.
  useLayoutEffect(() => {
    current.value = writing;
  }, [writing]);
  useWritingKeys(narrow);
  return writing ? <ComposeBox key={writing.key} writing={writing} /> : <NewMessageBar />;
}

function NewMessageBar() {
  const { newMessage: label, newDirectMessage } = texts.value;
  return (
    <div class="new-message">
      <button type="button" onClick={startInChannel}>
        <Icon of={PenLine} /> {label}
      </button>
      <button type="button" onClick={startToPeople}>
        <Icon of={MessageSquarePlus} /> {newDirectMessage}
      </button>
    </div>
  );
}

const startInChannel = () => void startMessage({ kind: 'channel', channelId: null, topic: '' });
const startToPeople = () => void startMessage({ kind: 'direct', userIds: [] });

function useWritingKeys(narrow: Narrow): void {
  const write = () => {
    if (newMessage.value ?? writingAt(narrow)) focusRequests.value += 1;
    else startInChannel();
  };
  useKeys(
    [
      { keys: ['c'], title: () => texts.value.writeMessage, run: write },
      { keys: ['x'], title: () => texts.value.newDirectMessage, run: startToPeople },
      { keys: ['d'], title: () => texts.value.drafts, run: () => go({ kind: 'drafts' }) },
    ],
    [narrow],
  );
}
