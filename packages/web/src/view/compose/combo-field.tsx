import { useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { focusRequests } from '../../store/composing';
import { type Choice, ChoiceList, choiceId, useChoices } from './choice-list';

interface ComboProps<Kind extends Choice> {
  label: string;
  text: string;
  choices: (query: string) => readonly Kind[];
  take: (choice: Kind) => void;
  /** After each change by typing. */
  onType: (text: string) => void;
  isFocused?: boolean;
  maxLength?: number;
  onKeyDown?: (event: KeyboardEvent) => void;
}

/** A field with suggestions, which open when it is written to. Enter without a suggestion goes on to the text. */
export function ComboField<Kind extends Choice>(props: ComboProps<Kind>) {
  const { label, text, onType, isFocused = false, maxLength } = props;
  const { isOpen, choosing, choose, onKeyDown } = useCombo(props);
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  // Before the next key.
  useLayoutEffect(() => {
    if (isFocused) input.current?.focus();
  }, []);
  const isShown = choosing.choices.length > 0;
  const open = () => {
    isOpen.value = true;
  };
  return (
    <div class="combo">
      <input
        {...(maxLength !== undefined && { maxLength })}
        ref={input}
        role="combobox"
        aria-label={label}
        placeholder={label}
        autocomplete="off"
        dir="auto"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={listId}
        aria-activedescendant={isShown ? choiceId(listId, choosing.at) : undefined}
        value={text}
        onInput={({ currentTarget }) => {
          open();
          onType(currentTarget.value);
        }}
        onFocus={open}
        onBlur={() => (isOpen.value = false)}
        onKeyDown={onKeyDown}
      />
      <ChoiceList id={listId} choosing={choosing} take={choose} />
    </div>
  );
}

function useCombo<Kind extends Choice>(props: ComboProps<Kind>) {
  const isOpen = useSignal(false);
  const close = () => {
    isOpen.value = false;
  };
  const choose = (choice: Kind) => {
    close();
    props.take(choice);
  };
  const choosing = useChoices(isOpen.value ? props.choices(props.text) : [], choose, close);
  const onKeyDown = (event: KeyboardEvent) => {
    if (choosing.onKeyDown(event)) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      focusRequests.value += 1;
    }
    props.onKeyDown?.(event);
  };
  return { isOpen, choosing, choose, onKeyDown };
}
