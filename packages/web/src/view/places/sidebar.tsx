import { signal } from '@preact/signals';
import { AtSign, CalendarClock, Compass, Inbox, Layers, MessagesSquare, PenLine, SmilePlus, Star } from 'lucide';
import { useRef } from 'preact/hooks';
import type { Narrow } from '../../narrow/narrow';
import { read } from '../../store/model';
import { addressOf } from '../../store/place';
import { matches } from '../../store/shown-topics';
import { unread } from '../../store/unread';
import { texts } from '../../texts/texts';
import { Icon } from '../base/icon';
import { useKeys } from '../base/keys';
import { ChannelList } from './channel-list';
import { DirectList } from './direct-list';
import { focusIn } from './drawers';
import { Entry } from './entry';

/** The filter typed above: only matching entries are shown. */
export const leftFilter = signal('');

export function Sidebar() {
  return (
    <>
      <FilterField />
      <Views />
      <DirectList filter={leftFilter.value} />
      <ChannelList filter={leftFilter.value} />
      <p class="browse">
        <a href={addressOf({ kind: 'channels', path: ['all'] })}>
          <Icon of={Compass} /> {texts.value.browseChannels}
        </a>
      </p>
    </>
  );
}

function FilterField() {
  const field = useRef<HTMLInputElement>(null);
  useKeys([{ keys: ['w'], title: () => texts.value.filterLeft, run: () => focusIn('left', field.current) }]);
  return (
    <input
      ref={field}
      class="filter"
      type="search"
      placeholder={texts.value.filterLeft}
      aria-label={texts.value.filterLeft}
      value={leftFilter.value}
      onInput={({ currentTarget }) => {
        leftFilter.value = currentTarget.value;
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') leave(event.currentTarget);
        if (event.key === 'Enter') openFirst(event.currentTarget);
      }}
    />
  );
}

function leave(field: HTMLElement): void {
  leftFilter.value = '';
  field.blur();
}

/** The first of the channels and conversations that fit. */
function openFirst(field: HTMLElement): void {
  field.parentElement?.querySelector<HTMLElement>('section .entry > a')?.click();
  leave(field);
}

/** One's own messages with reactions. */
function reactionsTo(userId: number): Narrow {
  const terms = [
    { operator: 'has', operand: 'reaction' },
    { operator: 'sender', operand: userId },
  ];
  return { kind: 'search', terms };
}

function Views() {
  const { unread_msgs, starred_messages, user_settings, user_id } = read('unread', 'messages', 'settings');
  const { drafts = [], scheduled_messages: scheduled = [] } = read('writing');
  const t = texts.value;
  const all = { isQuiet: true, isCountOfAll: true };
  const stars = user_settings?.['starred_message_counts'] === false ? 0 : starred_messages.length;
  const views: {
    narrow: Narrow;
    label: string;
    icon: Parameters<typeof Icon>[0]['of'];
    count?: number;
    isQuiet?: boolean;
    isCountOfAll?: boolean;
  }[] = [
    { narrow: { kind: 'inbox' }, label: t.inbox, icon: Inbox, count: unread_msgs.count },
    { narrow: { kind: 'recent' }, label: t.recent, icon: MessagesSquare },
    { narrow: { kind: 'feed' }, label: t.feed, icon: Layers },
    { narrow: { kind: 'mentions' }, label: t.mentions, icon: AtSign, count: unread.value.mentionCount },
    { narrow: reactionsTo(user_id), label: t.reactionsToMe, icon: SmilePlus },
    { narrow: { kind: 'starred' }, label: t.starred, icon: Star, count: stars, ...all },
    { narrow: { kind: 'drafts' }, label: t.drafts, icon: PenLine, count: drafts.length, ...all },
    { narrow: { kind: 'scheduled' }, label: t.scheduled, icon: CalendarClock, count: scheduled.length, ...all },
  ];
  const shown = views.filter(({ narrow, label, count }) => {
    if (narrow.kind === 'scheduled' && !count) return false;
    return matches(label, leftFilter.value);
  });
  return (
    <ul class="views" aria-label={t.views}>
      {shown.map(({ icon, ...entry }) => (
        <Entry key={entry.narrow.kind} {...entry} mark={<Icon of={icon} />} />
      ))}
    </ul>
  );
}
