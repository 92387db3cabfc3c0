import type { base as english } from '../en/base';

export const base: typeof english = {
  cancel: 'Abbrechen',
  retry: 'Noch einmal versuchen',
  generalChat: 'Allgemeines',
  loading: 'Wird geladen …',
  offline: 'Keine Verbindung. Es wird weiter versucht …',
  signOut: 'Abmelden',
  settings: 'Einstellungen',
  menu: 'Menü',
  close: 'Schließen',
  ok: 'OK',
  done: 'Fertig',
  failed: 'Das ging nicht',
  noAnswer: 'Der Server antwortet nicht. Bitte gleich noch einmal versuchen.',
  keyboard: 'Tastenkürzel',
};
