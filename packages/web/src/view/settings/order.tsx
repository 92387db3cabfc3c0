import { ArrowDown, ArrowUp } from 'lucide';
import { settingsTexts } from '../../texts/settings-texts';
import { IconButton } from '../base/icon';
import { moved } from './moved';

interface MoveActionsProps {
  ids: readonly number[];
  id: number;
  name: string;
  reorder: (ids: readonly number[]) => unknown;
}

/** Moves something of a list up or down. */
export function MoveActions({ ids, id, name, reorder }: MoveActionsProps) {
  const { moveUp, moveDown } = settingsTexts.value;
  return (
    <>
      {ids[0] !== id && (
        <IconButton of={ArrowUp} label={`${moveUp}: ${name}`} onClick={() => reorder(moved(ids, id, -1))} />
      )}
      {ids.at(-1) !== id && (
        <IconButton of={ArrowDown} label={`${moveDown}: ${name}`} onClick={() => reorder(moved(ids, id, 1))} />
      )}
    </>
  );
}
