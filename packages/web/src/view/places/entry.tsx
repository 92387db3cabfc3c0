import { EllipsisVertical } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { isSameNarrow, type Narrow } from '../../narrow/narrow';
import { addressOf, place } from '../../store/place';
import { texts } from '../../texts/texts';
import { Icon } from '../base/icon';
import { Count } from './marks';

interface EntryProps {
  narrow: Narrow;
  label: string;
  /** The line below it, for example a status. */
  note?: string | undefined;
  /** A picture or icon. */
  mark?: ComponentChildren;
  /** Marks after the name. */
  after?: ComponentChildren;
  count?: number | undefined;
  mentionCount?: number | undefined;
  isMuted?: boolean;
  /** The count is said more quietly: nothing there waits for the person. */
  isQuiet?: boolean;
  /** The count is not of unread messages. */
  isCountOfAll?: boolean;
  showMenu?: (anchor: HTMLElement) => void;
}

/** A line of the left side: a link to a view. */
export function Entry({ narrow, label, note, mark, after, count, mentionCount, ...rest }: EntryProps) {
  const { isMuted = false, isQuiet = isMuted, isCountOfAll = false, showMenu } = rest;
  const isHere = isSameNarrow(place.value.narrow, narrow);
  const line = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isHere && line.current) bringInSight(line.current);
  }, [isHere]);
  return (
    <li ref={line} class={`entry${isMuted ? ' muted' : ''}${isQuiet ? ' low' : ''}`}>
      <a
        href={addressOf(narrow)}
        aria-current={isHere ? 'page' : undefined}
        onContextMenu={(event) => {
          if (!showMenu) return;
          event.preventDefault();
          showMenu(event.currentTarget);
        }}
      >
        {mark}
        <span class="label">
          {label}
          {note && <small>{note}</small>}
        </span>
        {after}
        <Count count={count} mentionCount={mentionCount} isOfAll={isCountOfAll} />
      </a>
      {showMenu && <MenuButton label={label} showMenu={showMenu} />}
    </li>
  );
}

/** People who go somewhere by a key or a link see on the left where they are; what they see already stays in its place. */
function bringInSight(line: HTMLElement): void {
  const side = line.closest('.left');
  if (!side) return;
  const [{ top, bottom, height }, around] = [line.getBoundingClientRect(), side.getBoundingClientRect()];
  if (top >= around.top && bottom <= around.bottom) return;
  side.scrollTop += top - around.top - (around.height - height) / 2;
}

export function MenuButton({ label, showMenu }: { label: string; showMenu: (anchor: HTMLElement) => void }) {
  const title = texts.value.actionsOf(label);
  return (
    <button
      type="button"
      class="icon-button entry-menu"
      aria-haspopup="menu"
      aria-label={title}
      title={title}
      onClick={({ currentTarget }) => showMenu(currentTarget)}
    >
      <Icon of={EllipsisVertical} />
    </button>
  );
}
