import { EllipsisVertical, Pencil, Quote, SmilePlus, Star, StarOff } from 'lucide';
import { isFrozen, rightsOver } from '../../store/message-rights';
import { message } from '../../store/messages';
import { texts } from '../../texts/texts';
import { IconButton } from '../base/icon';
import { showMenu } from '../base/menu';
import { beginEdit, quote, star } from './message-actions';
import { menuOf } from './message-menu';
import { addReaction } from './reactions';

/** The most frequent actions on a message, and the menu of all others. */
export function RowActions({ id }: { id: number }) {
  const each = message(id);
  if (!each) return null;
  const t = texts.value;
  const isStarred = each.flags.includes('starred');
  const { mayEdit } = rightsOver(each, Date.now() / 1_000);
  return (
    <div class="actions" role="toolbar" aria-label={t.messageActions}>
      {!isFrozen(each) && (
        <IconButton of={SmilePlus} label={t.react} onClick={({ currentTarget }) => addReaction(currentTarget, each)} />
      )}
      <IconButton of={Quote} label={t.quoteAndReply} onClick={() => void quote(each)} />
      {mayEdit && <IconButton of={Pencil} label={t.edit} onClick={() => void beginEdit(each)} />}
      <IconButton
        of={isStarred ? StarOff : Star}
        label={isStarred ? t.unstar : t.star}
        isPressed={isStarred}
        onClick={() => void star(each)}
      />
      <IconButton
        of={EllipsisVertical}
        label={t.moreActions}
        onClick={({ currentTarget }) => showMenu(currentTarget, menuOf(each))}
      />
    </div>
  );
}
