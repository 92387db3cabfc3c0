import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks';
import { conversationOf, focusRequests, type Writing } from '../../store/composing';
import { keepSoon } from '../../store/drafts';
import { read } from '../../store/model';
import { texts } from '../../texts/texts';
import { ChoiceList, choiceId, useChoices } from './choice-list';
import { replaceIn } from './field';
import { type Format, format, typeOverFence } from './formatting';
import { prepareSoon, type Suggestion, suggest } from './suggest';
import { type Trigger, triggerAt } from './trigger';

export interface FieldRef {
  current: HTMLTextAreaElement | null;
}

interface FieldProps {
  writing: Writing;
  label: string;
  field: FieldRef;
  send: () => void;
  leave: () => void;
  takeFiles: (files: readonly File[]) => void;
}

const LIST = 'message-choices';

/** The text field: it grows with its text and suggests what can follow. */
export function MessageField(props: FieldProps) {
  const { writing, label, field } = props;
  const { choosing, take, look } = useSuggestions(writing, field);
  useGrowth(writing, field);
  useChangesFromElsewhere(writing, field);
  const isOpen = choosing.choices.length > 0;
  return (
    <div class="message-field">
      <ChoiceList id={LIST} choosing={choosing} take={take} />
      <textarea
        ref={field}
        aria-label={label}
        placeholder={label}
        rows={2}
        dir="auto"
        aria-autocomplete="list"
        aria-controls={isOpen ? LIST : undefined}
        aria-activedescendant={isOpen ? choiceId(LIST, choosing.at) : undefined}
        value={writing.content.value}
        onInput={({ currentTarget }) => {
          writing.content.value = currentTarget.value;
          look();
          keepSoon(writing);
        }}
        onSelect={look}
        onBlur={() => look(false)}
        onKeyDown={(event) => {
          const isTaken = takeChannelByAngle(event, field.current, choosing) || takeFence(event, field.current);
          if (!isTaken && !choosing.onKeyDown(event)) pressed(event, props);
        }}
        onPaste={(event) => {
          const files = filesOf(event.clipboardData);
          if (files.length === 0) return;
          event.preventDefault();
          props.takeFiles(files);
        }}
      />
    </div>
  );
}

/** Office programs add a picture of the text that was copied: only the text is meant then. */
function filesOf(pasted: DataTransfer | null): File[] {
  const isText = pasted?.types.includes('text/html') && pasted.getData('text/plain').trim() !== '';
  return isText ? [] : [...(pasted?.files ?? [])];
}

function useSuggestions(writing: Writing, field: FieldRef) {
  const trigger = useSignal<Trigger | null>(null);
  const dismissed = useSignal<number | null>(null);
  // Made anew only when something changes: emoji, topics and people may arrive while the list is open.
  const choices = useComputed<readonly Suggestion[]>(() =>
    trigger.value ? suggest(trigger.value, writing.target.value) : [],
  ).value;
  useEffect(prepareSoon, []);

  const look = (isHere = true) => {
    const element = field.current;
    if (!element) return;
    const { selectionStart: start, selectionEnd: end } = element;
    writing.selection.value = { start, end };
    const found = isHere && start === end ? triggerAt(element.value, end) : null;
    if (dismissed.value !== null && found?.start !== dismissed.value) dismissed.value = null;
    const next = found && dismissed.value === null ? found : null;
    if (JSON.stringify(next) !== JSON.stringify(trigger.value)) trigger.value = next;
  };
  const take = ({ text, after = '' }: Suggestion) => {
    const element = field.current;
    if (!element || !trigger.value) return;
    const { start } = trigger.value;
    replaceIn(element, {
      from: start,
      to: element.selectionEnd,
      insert: text + after,
      select: [text.length, text.length],
    });
    look();
  };
  const close = () => {
    dismissed.value = trigger.value?.start ?? null;
    trigger.value = null;
  };
  const choosing = useChoices(choices, take, close);
  return { choosing, take, look: (isHere?: unknown) => look(isHere !== false) };
}

/** `#channel>` goes on with its topics. */
function takeChannelByAngle(
  event: KeyboardEvent,
  element: HTMLTextAreaElement | null,
  { choices, at }: { choices: readonly Suggestion[]; at: number },
): boolean {
  const trigger = element && event.key === '>' ? triggerAt(element.value, element.selectionEnd) : null;
  const chosen = choices[at];
  if (!element || trigger?.kind !== 'channel' || !chosen?.text.startsWith('#**')) return false;
  event.preventDefault();
  const insert = `#**${chosen.label}>`;
  replaceIn(element, { from: trigger.start, to: element.selectionEnd, insert, select: [insert.length, insert.length] });
  return true;
}

/** The closing fence of a block is there with its language: whoever types it does not get two. */
function takeFence(event: KeyboardEvent, element: HTMLTextAreaElement | null): boolean {
  if (!element) return false;
  const { value: text, selectionStart: start, selectionEnd: end } = element;
  const replacement = typeOverFence(event.key, { text, start, end });
  if (!replacement) return false;
  event.preventDefault();
  replaceIn(element, replacement);
  return true;
}

const SHORTCUTS: Readonly<Record<string, Format>> = { b: 'bold', i: 'italic', L: 'link' };

function pressed(event: KeyboardEvent, { field, send, leave }: FieldProps): void {
  const { key, isComposing, shiftKey, ctrlKey, metaKey, altKey } = event;
  const isCombined = ctrlKey || metaKey;
  const sendsByEnter = read('settings').user_settings?.['enter_sends'] !== false;
  if (isComposing) return;
  if (key === 'Escape') {
    event.preventDefault();
    leave();
  } else if (key === 'Enter' && !shiftKey && !altKey && (sendsByEnter || isCombined)) {
    event.preventDefault();
    send();
  } else if (isCombined && !altKey) {
    const kind = SHORTCUTS[shiftKey ? key.toUpperCase() : key];
    if (!kind || !field.current) return;
    event.preventDefault();
    applyFormat(field.current, kind);
  }
}

export function applyFormat(element: HTMLTextAreaElement, kind: Format): void {
  const { value: text, selectionStart: start, selectionEnd: end } = element;
  const { linkText: url, spoilerTitle: title, pollQuestion: question, pollOption: option } = texts.value;
  replaceIn(element, format(kind, { text, start, end }, { url, title, question, option }));
}

/** Browsers that size the field themselves do it without two layouts of the page for each key. */
const isSizedByStyle = CSS.supports('field-sizing', 'content');

/** As high as its text, up to what the style allows. */
function useGrowth(writing: Writing, field: FieldRef): void {
  const content = writing.content.value;
  useLayoutEffect(() => {
    const element = field.current;
    if (!element || isSizedByStyle) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight + 2}px`;
  }, [content]);
}

/** The cursor goes where a text was put, and the field takes the focus when somebody asks for it. */
function useChangesFromElsewhere(writing: Writing, field: FieldRef): void {
  const changes = writing.changes.value;
  const requests = focusRequests.value;
  const first = useMemo(() => ({ changes, requests }), [writing]);
  useLayoutEffect(() => {
    const element = field.current;
    const { start, end } = writing.selection.peek();
    if (element && changes > 0) {
      element.value = writing.content.peek();
      element.setSelectionRange(start, end);
    }
    if (changes !== first.changes) keepSoon(writing);
  }, [changes, writing]);
  // Before the next key.
  useLayoutEffect(() => {
    const isComplete = conversationOf(writing.target.peek()) !== null;
    if (requests > taken && isComplete) field.current?.focus();
    taken = requests;
  }, [requests, writing]);
}

/** The request to write that was fulfilled last. */
let taken = 0;
