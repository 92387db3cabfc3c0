import { useSignal } from '@preact/signals';
import type { IconNode } from 'lucide';
import { useEffect, useRef } from 'preact/hooks';
import { texts } from '../../texts/texts';
import { Icon } from '../base/icon';

/** One of several things to choose from while typing. */
export interface Choice {
  key: string;
  label: string;
  note?: string | undefined;
  /** A picture, or signs in its place. */
  image?: string | undefined;
  sign?: string | undefined;
  icon?: IconNode;
}

interface Choosing<Kind extends Choice> {
  choices: readonly Kind[];
  at: number;
  /** Whether the key was for the list. */
  onKeyDown: (event: KeyboardEvent) => boolean;
}

/** Arrows go through the choices, Enter and Tab take one, Escape closes the list. */
export function useChoices<Kind extends Choice>(
  choices: readonly Kind[],
  take: (choice: Kind) => void,
  close: () => void,
): Choosing<Kind> {
  const at = useSignal(0);
  const keys = choices.map(({ key }) => key).join('\n');
  useEffect(() => {
    at.value = 0;
  }, [keys]);
  const index = Math.min(at.value, choices.length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    if (choices.length === 0 || event.isComposing) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isTaking = (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) || event.key === 'Tab';
    if (step === undefined && (!isTaking || event.shiftKey) && event.key !== 'Escape') return false;
    event.preventDefault();
    event.stopPropagation();
    if (step !== undefined) at.value = (index + step + choices.length) % choices.length;
    else if (isTaking) take(choices[index] as Kind);
    else close();
    return true;
  };
  return { choices, at: index, onKeyDown };
}

export const choiceId = (listId: string, at: number) => `${listId}-${at}`;

interface ListProps<Kind extends Choice> {
  id: string;
  choosing: Choosing<Kind>;
  take: (choice: Kind) => void;
}

/** The choices beside a field, which keeps the focus. */
export function ChoiceList<Kind extends Choice>({ id, choosing: { choices, at }, take }: ListProps<Kind>) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: 'nearest' }), [at]);
  const pictures = usePictures(choices);
  const { suggestions, suggestionsFound } = texts.value;
  return (
    <>
      <p class="hidden" role="status">
        {choices.length > 0 && suggestionsFound(choices.length)}
      </p>
      {choices.length > 0 && (
        <div ref={list} id={id} class="choice-list" role="listbox" aria-label={suggestions}>
          {choices.map((choice, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and takes the keys.
            <div
              key={choice.key}
              id={choiceId(id, index)}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(choice)}
            >
              <ChoiceContent of={choice} pictures={pictures} />
            </div>
          ))}
        </div>
      )}
    </>
  );
}

/** Pictures are fetched and drawn when the choices have rested for so long: eight new ones cost more than all else that a letter does. */
const REST_MS = 150;

/** The pictures to be shown; those of choices that stay are kept. */
function usePictures(choices: readonly Choice[]): readonly string[] {
  const shown = useSignal<readonly string[]>([]);
  const images = choices.flatMap(({ image }) => image ?? []);
  useEffect(() => {
    const timer = setTimeout(() => {
      shown.value = images;
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [images.join()]);
  return shown.value;
}

function ChoiceContent({ of, pictures }: { of: Choice; pictures: readonly string[] }) {
  const { label, note, image, sign, icon } = of;
  return (
    <>
      {image && (
        <span class="choice-picture">
          {pictures.includes(image) && <img src={image} alt="" width="24" height="24" />}
        </span>
      )}
      {sign && (
        <span class="sign emoji" aria-hidden="true">
          {sign}
        </span>
      )}
      {icon && (
        <span class="sign">
          <Icon of={icon} />
        </span>
      )}
      <span class="label">{label}</span>
      {note && <small>{note}</small>}
    </>
  );
}
