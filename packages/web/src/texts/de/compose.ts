import type { compose as english } from '../en/compose';

export const compose: typeof english = {
  send: 'Senden',
  topic: 'Thema',
  messageTo: (place) => `Nachricht an ${place}`,
  notSent: 'Nicht gesendet',
  drafts: 'Entwürfe',
  scheduled: 'Geplante Nachrichten',
  reminders: 'Erinnerungen',
  waiting: 'Noch nicht gesendet. Es wird von selbst wieder versucht.',
  sending: 'Wird gesendet',
};
