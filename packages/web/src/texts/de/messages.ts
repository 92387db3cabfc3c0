import type { messages as english } from '../en/messages';

export const messages: typeof english = {
  edited: 'bearbeitet',
  moved: 'verschoben',
  unreadFrom: 'Neue Nachrichten',
  nothingHere: 'Hier gibt es noch keine Nachrichten.',
  star: 'Markieren',
  unstar: 'Markierung entfernen',
  react: 'Mit 👍 reagieren',
  toNewest: 'Zur neuesten Nachricht',
};
