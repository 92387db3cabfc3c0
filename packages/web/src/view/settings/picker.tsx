import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { settingsTexts } from '../../texts/settings-texts';
import type { Option } from './options';

interface PickerProps {
  id?: string;
  label?: string;
  find: (words: string) => Option[];
  take: (option: Option) => void;
}

/** A field in which people look for something, and choose one of what was found. */
export function Picker({ id, label, find, take }: PickerProps) {
  const listId = useId();
  const { words, at, options, show, hide, choose, onKeyDown } = useOptions(find, take);
  return (
    <span class="picker">
      <input
        {...{ id, role: 'combobox', placeholder: label ?? settingsTexts.value.add, 'aria-label': label }}
        {...{ 'aria-expanded': options.length > 0, 'aria-controls': listId, autocomplete: 'off' }}
        aria-activedescendant={options.length > 0 ? `${listId}-${at}` : undefined}
        value={words}
        onInput={({ currentTarget }) => show(currentTarget.value)}
        onClick={() => show(words)}
        onBlur={hide}
        onKeyDown={onKeyDown}
      />
      <Found listId={listId} options={options} at={at} choose={choose} />
    </span>
  );
}

function useOptions(find: PickerProps['find'], take: PickerProps['take']) {
  const words = useSignal('');
  const isOpen = useSignal(false);
  const at = useSignal(0);
  const options = isOpen.value ? find(words.value) : [];
  const hide = () => {
    isOpen.value = false;
  };
  const show = (text: string) => {
    words.value = text;
    at.value = 0;
    isOpen.value = true;
  };
  const choose = (option: Option | undefined) => {
    if (!option) return;
    words.value = '';
    hide();
    take(option);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) at.value = (at.value + step + options.length) % Math.max(1, options.length);
    else if (event.key === 'Enter' && isOpen.value) choose(options[at.value]);
    else if (event.key === 'Escape' && isOpen.value) hide();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { words: words.value, at: at.value, options, show, hide, choose, onKeyDown };
}

interface FoundProps {
  listId: string;
  options: readonly Option[];
  at: number;
  choose: (option: Option) => void;
}

function Found({ listId, options, at, choose }: FoundProps) {
  return (
    <div
      id={listId}
      class="found"
      role="listbox"
      tabIndex={-1}
      aria-label={settingsTexts.value.found}
      hidden={options.length === 0}
    >
      {options.map((option, index) => (
        <button
          key={`${option.kind}-${option.id}`}
          id={`${listId}-${index}`}
          type="button"
          role="option"
          // The focus stays in the field, which takes the keys.
          tabIndex={-1}
          aria-selected={index === at}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(option)}
        >
          {option.label} {option.detail && <small>{option.detail}</small>}
        </button>
      ))}
    </div>
  );
}
