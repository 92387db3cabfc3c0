import type { Narrow } from '../../narrow/narrow';
import { channelName, personName } from '../../store/model';
import { texts } from '../../texts/texts';

/** What people call a narrow. */
export function titleOf(narrow: Narrow): string {
  const t = texts.value;
  switch (narrow.kind) {
    case 'feed':
      return t.feed;
    case 'mentions':
      return t.mentions;
    case 'starred':
      return t.starred;
    case 'channel':
      return `#${channelName(narrow.channelId)}`;
    case 'topic':
      return `#${channelName(narrow.channelId)} › ${narrow.topic || t.generalChat}`;
    case 'direct':
      return narrow.userIds.map(personName).join(', ');
    case 'search':
      return `${t.search}: ${narrow.words}`;
    case 'inbox':
      return t.inbox;
    case 'drafts':
    case 'scheduled':
    case 'reminders':
      return t[narrow.kind];
  }
}
