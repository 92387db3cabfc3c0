import type { IconNode } from 'lucide';
import { h } from 'preact';

interface IconProps {
  /** One of lucide's, e.g. `Star`. */
  of: IconNode;
}

/** A picture beside a text, or in a button that has a name of its own: screen readers skip it. */
export function Icon({ of }: IconProps) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      {of.map(([tag, attributes]) => h(tag, attributes as Record<string, string>))}
    </svg>
  );
}

interface IconButtonProps extends IconProps {
  label: string;
  isPressed?: boolean | undefined;
  onClick: (event: MouseEvent & { currentTarget: HTMLButtonElement }) => void;
}

export function IconButton({ of, label, isPressed, onClick }: IconButtonProps) {
  return (
    <button
      type="button"
      class="icon-button"
      title={label}
      aria-label={label}
      aria-pressed={isPressed}
      onClick={onClick as never}
    >
      <Icon of={of} />
    </button>
  );
}
