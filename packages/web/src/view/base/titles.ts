import type { Narrow } from '../../narrow/narrow';
import { wordsOfTerms } from '../../narrow/search-words';
import { channelName, personName } from '../../store/model';
import { names } from '../../store/names';
import { texts } from '../../texts/texts';

/** The title of a narrow. */
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
      return `#${apart(channelName(narrow.channelId))}`;
    case 'topic':
      return `#${apart(channelName(narrow.channelId))} › ${apart(narrow.topic || t.generalChat)}`;
    case 'direct':
      return narrow.userIds.map((id) => apart(personName(id))).join(', ');
    case 'search':
      return wordsOfTerms(narrow.terms, names);
    case 'inbox':
      return t.inbox;
    case 'drafts':
    case 'scheduled':
    case 'reminders':
      return t[narrow.kind];
    case 'channels':
      return t.channels;
    case 'settings':
      return t.settings;
    case 'recent':
      return t.recent;
  }
}

/** Letters that are written from right to left. */
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A name whose direction does not change the order of what stands beside it. */
const apart = (name: string) => (FROM_RIGHT.test(name) ? `\u2068${name}\u2069` : name);
