import type { places as english } from '../en/places';

export const places: typeof english = {
  inbox: 'Eingang',
  recent: 'Letzte Unterhaltungen',
  feed: 'Alle Nachrichten',
  mentions: 'Erwähnungen',
  starred: 'Markierte Nachrichten',
  directMessages: 'Direktnachrichten',
  channels: 'Kanäle',
  pinned: 'Angeheftet',
  people: 'Personen',
  search: 'Suche',
  searchHint: 'Nachrichten durchsuchen',
  nothingUnread: 'Nichts ist ungelesen. Schön.',
  active: 'aktiv',
  idle: 'abwesend',
  away: 'offline',
};
