import { type Signal, untracked, useSignal, useSignalEffect } from '@preact/signals';
import { ChevronDown, SendHorizontal, X } from 'lucide';
import { useEffect, useRef } from 'preact/hooks';
import { ApiError } from '../../api/call';
import { conversationOf, newMessage, type Writing } from '../../store/composing';
import { keepNow, writeElsewhere } from '../../store/drafts';
import { channelName, personName, read } from '../../store/model';
import { noticeTyping, stopTyping } from '../../store/typing-notices';
import { upload, uploadsOf } from '../../store/uploads';
import { texts } from '../../texts/texts';
import { Icon, IconButton } from '../base/icon';
import { attempt, say, wordsOf } from '../base/notices';
import { titleOf } from '../base/titles';
import { MessageField } from './message-field';
import { Notes } from './notes';
import { Preview } from './preview';
import { RecipientFields } from './recipient-fields';
import { chooseTime } from './schedule';
import { barTo, checkEverybody, lackOf, lengthOf, sendNow } from './sending';
import { Toolbar } from './toolbar';

/** Where a message is written. */
export function ComposeBox({ writing }: { writing: Writing }) {
  read('channels', 'people', 'settings');
  const isPreviewed = useSignal(false);
  useTypingNotices(writing);
  useDrop(writing);
  const bar = writing.fixed === 'nothing' ? null : barTo(writing.target.value);
  if (bar) return <Bar writing={writing} reason={bar} />;

  const send = async () => {
    if (await trySending(writing)) isPreviewed.value = false;
  };
  return (
    <form
      class="compose"
      aria-label={texts.value.writeMessage}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        leave(writing, event.target as HTMLElement);
      }}
    >
      {writing.fixed === 'nothing' && <Head writing={writing} />}
      <RecipientFields writing={writing} />
      <Notes writing={writing} />
      <Body writing={writing} isPreviewed={isPreviewed} send={() => void send()} />
    </form>
  );
}

function Bar({ writing, reason }: { writing: Writing; reason: string }) {
  const hasText = writing.content.value.trim() !== '';
  return (
    <p class="compose-bar notice">
      {reason}{' '}
      {hasText && (
        <button type="button" onClick={() => writeElsewhere(writing)}>
          {texts.value.sendElsewhere}
        </button>
      )}
    </p>
  );
}

interface BodyProps {
  writing: Writing;
  isPreviewed: Signal<boolean>;
  send: () => void;
}

function Body({ writing, isPreviewed, send }: BodyProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const takeFiles = (files: readonly File[]) => void uploadAll(writing, files);
  const togglePreview = () => {
    isPreviewed.value = !isPreviewed.value && writing.content.value.trim() !== '';
  };
  const leaveField = () => leave(writing, field.current);
  return (
    <div class="compose-body">
      {isPreviewed.value ? (
        <Preview content={writing.content.value} />
      ) : (
        <MessageField {...{ writing, label: labelOf(writing), field, send, leave: leaveField, takeFiles }} />
      )}
      <Uploads writing={writing} />
      <div class="compose-tools">
        <Toolbar {...{ writing, field, takeFiles, togglePreview, isPreviewed: isPreviewed.value }} />
        <CharactersLeft writing={writing} />
        <SendButtons writing={writing} />
      </div>
    </div>
  );
}

function Head({ writing }: { writing: Writing }) {
  const { newMessage: title, newDirectMessage, close } = texts.value;
  return (
    <header>
      <h2>{writing.target.value.kind === 'direct' ? newDirectMessage : title}</h2>
      <IconButton of={X} label={close} onClick={() => leave(writing, null)} />
    </header>
  );
}

function labelOf({ target, fixed }: Writing): string {
  const { messageTo, message } = texts.value;
  const now = target.value;
  if (fixed === 'channel' && now.kind === 'channel') return messageTo(`#${channelName(now.channelId ?? 0)}`);
  const conversation = conversationOf(now);
  if (!conversation) return message;
  return messageTo(now.kind === 'direct' ? now.userIds.map(personName).join(', ') : titleOf(conversation));
}

function SendButtons({ writing }: { writing: Writing }) {
  const { send, sendOptions } = texts.value;
  const later = (anchor: HTMLElement) => {
    const lack = lackOf(writing);
    if (lack) say(lack, true);
    else chooseTime(anchor, writing);
  };
  return (
    <span class="send-buttons">
      <button type="submit" class="main" title={send}>
        <Icon of={SendHorizontal} /> <span>{send}</span>
      </button>
      <button
        type="button"
        class="main later"
        title={sendOptions}
        aria-label={sendOptions}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => later(currentTarget)}
      >
        <Icon of={ChevronDown} />
      </button>
    </span>
  );
}

/** Said when the end is near. */
const NEAR = 500;

function CharactersLeft({ writing }: { writing: Writing }) {
  const content = writing.content.value;
  const { max_message_length: most } = read('settings');
  if (content.length < most - NEAR) return null;
  const left = most - lengthOf(content);
  const { charactersLeft, charactersOver } = texts.value;
  return (
    <span class={left < 0 ? 'characters over' : 'characters'} role="status">
      {left < 0 ? charactersOver(-left) : charactersLeft(left)}
    </span>
  );
}

async function trySending(writing: Writing): Promise<boolean> {
  const lack = lackOf(writing) ?? (await checkEverybody(writing));
  if (lack === null) sendNow(writing);
  else if (lack !== '') say(lack, true);
  return lack === null;
}

/** Keeps the draft; a message apart from its place is closed. */
function leave(writing: Writing, field: HTMLElement | null): void {
  stopTyping();
  void keepNow(writing);
  field?.blur();
  if (newMessage.value !== writing) return;
  if (writing.content.value.trim() !== '') say(texts.value.draftSaved);
  newMessage.value = null;
}

function useTypingNotices(writing: Writing): void {
  const before = useRef(writing.content.peek());
  // The box is not drawn anew for each key.
  useSignalEffect(() => {
    const content = writing.content.value;
    if (content === before.current) return;
    before.current = content;
    const conversation = conversationOf(writing.target.peek());
    if (content.trim() === '' || !conversation) stopTyping();
    else untracked(() => noticeTyping(conversation));
  });
  useEffect(
    () => () => {
      stopTyping();
      void keepNow(writing);
    },
    [writing],
  );
}

function Uploads({ writing }: { writing: Writing }) {
  const { cancel, uploading } = texts.value;
  return (
    <ul class="uploads">
      {uploadsOf(writing).map((each) => (
        <li key={each.id}>
          <label>
            {uploading(each.name)} <progress value={each.share.value} max={1} />
          </label>
          <IconButton of={X} label={`${cancel}: ${each.name}`} onClick={each.cancel} />
        </li>
      ))}
    </ul>
  );
}

async function uploadAll(writing: Writing, files: readonly File[]): Promise<void> {
  const { max_file_upload_size_mib: mib } = read('settings');
  const { tooLarge, refusedAsTooLarge, uploading, uploadFailed } = texts.value;
  const fitting = files.filter((file) => file.size <= mib * 1_048_576);
  for (const file of files) if (!fitting.includes(file)) say(tooLarge(file.name, mib), true);
  await Promise.all(
    fitting.map((file) =>
      upload(writing, file, `[${uploading(file.name.replace(/[[\]]/g, ''))}]()`).catch(async (error) =>
        say(isTooLarge(error) ? refusedAsTooLarge(file.name) : uploadFailed(file.name, await wordsOf(error)), true),
      ),
    ),
  );
}

/** A proxy before the server may take smaller files only, and says it in no words. */
const isTooLarge = (error: unknown) => error instanceof ApiError && error.status === 413;

/** Files can be dropped anywhere on the view. */
function useDrop(writing: Writing): void {
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      document.body.classList.toggle('dropping', true);
    };
    const end = (event: DragEvent) => {
      if (event.type === 'dragleave' && event.relatedTarget) return;
      document.body.classList.toggle('dropping', false);
    };
    const drop = (event: DragEvent) => {
      end(event);
      if (!hasFiles(event)) return;
      event.preventDefault();
      void attempt(() => uploadAll(writing, [...(event.dataTransfer?.files ?? [])]));
    };
    const listeners = { dragover: over, dragleave: end, drop } as const;
    for (const [type, listen] of Object.entries(listeners)) addEventListener(type, listen as EventListener);
    return () => {
      for (const [type, listen] of Object.entries(listeners)) removeEventListener(type, listen as EventListener);
    };
  }, [writing]);
}
