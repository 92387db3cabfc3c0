import type { MessageList } from '../../store/message-list';
import { isFrozen, type MessageRights, rightsOver } from '../../store/message-rights';
import { type Message, messageNow, narrowOf } from '../../store/messages';
import { go } from '../../store/place';
import { texts } from '../../texts/texts';
import { type KeyCommand, useKeys } from '../base/keys';
import { withPart } from '../base/lazily';
import { showMenu } from '../base/menu';
import { showPersonCard } from '../people/person-card';
import { beginEdit, markUnread, quote, reply, star } from './message-actions';
import { menuOf, open } from './message-menu';
import { addReaction } from './reactions';
import { rowOf, select, selectedId } from './selection';

/** Keys that choose a message and act on it. */
export function useMessageKeys(list: MessageList): void {
  useKeys([...movesIn(list), ...actionsIn(list)], [list]);
}

function movesIn(list: MessageList): KeyCommand[] {
  const t = () => texts.value.keyTitles;
  return [
    { keys: ['j', 'ArrowDown'], title: () => t().next, run: () => step(list, 1) },
    { keys: ['k', 'ArrowUp'], title: () => t().previous, run: () => step(list, -1) },
    { keys: ['Home'], title: () => t().first, run: () => void list.show(0) },
    { keys: ['End', 'G'], title: () => t().last, run: () => void list.show('newest').then(() => selectLast(list)) },
    { keys: ['PageUp', 'K'], title: () => t().pageUp, run: () => page(-1) },
    { keys: ['PageDown', 'J', ' '], title: () => t().pageDown, run: () => page(1) },
  ];
}

function step(list: MessageList, by: number): void {
  const { value: ids } = list.ids;
  const at = ids.indexOf(selectedId.value ?? -1);
  const next = at >= 0 ? ids[at + by] : startOf(list, by);
  if (next !== undefined) select(next);
}

/** Without a choice the keys begin at what is on the screen: at its end, when the list is. */
function startOf({ seen, ids }: MessageList, by: number): number | undefined {
  return seen && !seen.isAtEnd && by > 0 ? seen.id : ids.value.at(-1);
}

function selectLast({ ids }: MessageList): void {
  const last = ids.value.at(-1);
  if (last !== undefined) select(last);
}

function page(by: number): void {
  const box = document.querySelector<HTMLElement>('.scroll');
  box?.scrollBy({ top: by * box.clientHeight * 0.9 });
}

/** On the message that is chosen, or the newest. */
function actionsIn(list: MessageList): KeyCommand[] {
  const t = () => texts.value;
  const on = (run: (each: Message, row: HTMLElement) => unknown) => () => {
    const id = selectedId.value ?? list.ids.value.at(-1);
    const each = id === undefined ? undefined : messageNow(id);
    if (!each) return;
    select(each.id);
    const row = rowOf(each.id);
    if (row) void run(each, row);
  };
  const rights = (each: Message) => rightsOver(each, Date.now() / 1_000);
  const mayMove = ({ mayMoveToTopic, mayMoveToChannel }: MessageRights) => mayMoveToTopic || mayMoveToChannel;
  return [
    { keys: ['r', 'Enter'], title: () => t().reply, run: on(reply) },
    { keys: ['>'], title: () => t().quoteAndReply, run: on(quote) },
    { keys: ['<'], title: () => t().forward, run: on(open.forward) },
    { keys: ['e'], title: () => t().edit, run: on((each) => rights(each).mayEdit && beginEdit(each)) },
    { keys: ['m'], title: () => t().move, run: on((each) => mayMove(rights(each)) && open.move(each)) },
    { keys: ['+', ':'], title: () => t().react, run: on((each, row) => isFrozen(each) || addReaction(row, each)) },
    { keys: ['*'], title: () => t().star, run: on(star) },
    { keys: ['U'], title: () => t().markUnreadFrom, run: on((each) => rights(each).mayMarkUnread && markUnread(each)) },
    { keys: ['u'], title: () => t().keyTitles.sender, run: on((each, row) => showPersonCard(row, each.sender_id)) },
    { keys: ['i'], title: () => t().moreActions, run: on((each, row) => showMenu(row, menuOf(each))) },
    { keys: ['v'], title: () => t().keyTitles.pictures, run: on((_, row) => showPictures(row)) },
    { keys: ['H'], title: () => t().history, run: on((each) => rights(each).maySeeHistory && open.history(each)) },
    { keys: ['V'], title: () => t().readers, run: on((each) => rights(each).maySeeReaders && open.readers(each)) },
    { keys: ['s'], title: () => t().keyTitles.conversation, run: on((each) => go(narrowOf(each), each.id)) },
  ];
}

function showPictures(row: HTMLElement): void {
  const picture =
    row.querySelector<HTMLAnchorElement>('a.shown-picture') ??
    document.querySelector<HTMLAnchorElement>('.scroll a.shown-picture');
  if (picture) withPart(import('./lightbox'), ({ showLightbox }) => showLightbox(picture));
}
