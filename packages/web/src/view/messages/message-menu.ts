import {
  BadgeCheck,
  BellRing,
  CircleDot,
  Clipboard,
  Eye,
  Flag,
  FolderInput,
  Forward,
  History,
  Link,
  Pencil,
  Quote,
  Reply,
  Star,
  Trash2,
} from 'lucide';
import { isResolved, rightsOver } from '../../store/message-rights';
import type { Message } from '../../store/messages';
import { texts } from '../../texts/texts';
import { withPart } from '../base/lazily';
import type { MenuItem } from '../base/menu';
import {
  beginEdit,
  copyContent,
  copyLink,
  markUnread,
  quote,
  remove,
  reply,
  star,
  toggleResolved,
} from './message-actions';

/** Dialogs are loaded when they are needed. */
export const open = {
  forward: (each: Message) => withPart(import('./forward-dialog'), ({ showForward }) => showForward(each)),
  move: (each: Message) => withPart(import('./move-dialog'), ({ showMove }) => showMove(each)),
  remind: (each: Message) => withPart(import('./remind-dialog'), ({ showRemind }) => showRemind(each)),
  history: ({ id }: Message) => withPart(import('./history-dialog'), ({ showHistoryOf }) => showHistoryOf(id)),
  readers: ({ id }: Message) => withPart(import('./readers-dialog'), ({ showReaders }) => showReaders(id)),
  report: ({ id }: Message) => withPart(import('./report-dialog'), ({ showReport }) => showReport(id)),
};

/** Everything that the user may do to a message. */
export function menuOf(each: Message): MenuItem[] {
  const t = texts.value;
  const rights = rightsOver(each, Date.now() / 1_000);
  const isStarred = each.flags.includes('starred');
  const { maySeeHistory, maySeeReaders, mayEdit, mayResolve, mayReport, mayDelete, mayMarkUnread } = rights;
  const mayMove = rights.mayMoveToTopic || rights.mayMoveToChannel;
  return [
    { label: t.reply, icon: Reply, run: () => reply(each) },
    { label: t.quoteAndReply, icon: Quote, run: () => void quote(each) },
    { label: t.forward, icon: Forward, run: () => open.forward(each) },
    ...(mayEdit ? [{ label: t.edit, icon: Pencil, run: () => void beginEdit(each) }] : []),
    ...(mayMove ? [{ label: t.move, icon: FolderInput, run: () => open.move(each) }] : []),
    ...(mayResolve
      ? [
          {
            label: isResolved(each.subject) ? t.unresolve : t.resolve,
            icon: BadgeCheck,
            run: () => void toggleResolved(each),
          },
        ]
      : []),
    { label: isStarred ? t.unstar : t.star, icon: Star, run: () => void star(each) },
    ...(mayMarkUnread ? [{ label: t.markUnreadFrom, icon: CircleDot, run: () => void markUnread(each) }] : []),
    { label: t.remindMe, icon: BellRing, run: () => open.remind(each) },
    { label: t.copyLink, icon: Link, run: () => void copyLink(each) },
    { label: t.copyContent, icon: Clipboard, run: () => void copyContent(each) },
    ...(maySeeHistory ? [{ label: t.history, icon: History, run: () => open.history(each) }] : []),
    ...(maySeeReaders ? [{ label: t.readers, icon: Eye, run: () => open.readers(each) }] : []),
    ...(mayReport ? [{ label: t.report, icon: Flag, run: () => open.report(each) }] : []),
    ...(mayDelete ? [{ label: t.deleteMessage, icon: Trash2, run: () => void remove(each) }] : []),
  ];
}
