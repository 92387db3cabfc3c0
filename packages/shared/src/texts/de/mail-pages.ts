import type { mailPages as english } from '../en/mail-pages';

export const mailPages: typeof english = {
  kinds: {
    missed_messages: 'Mails über verpasste Nachrichten',
    digest: 'Zusammenfassungen dessen, was während der Abwesenheit geschah',
    sign_in: 'Mails über Anmeldungen beim Konto',
    marketing: 'Neuigkeiten über diesen Dienst',
  },
  endTitle: 'Keine solchen Mails mehr?',
  end: (kind, name, address) => `${address} bekommt ${kind} von ${name}.`,
  endAction: 'Keine mehr senden',
  endedTitle: 'Keine solchen Mails mehr',
  ended: (kind, name, address) => `${address} bekommt keine ${kind} von ${name} mehr.`,
  again: 'In den Einstellungen der Benachrichtigungen lassen sie sich jederzeit wieder einschalten.',
  settings: 'Einstellungen der Benachrichtigungen',
  resumeTitle: 'Stimmt diese Adresse?',
  resume: (name, address) => `Mails von ${name} an ${address} kamen nicht an, deshalb werden keine mehr gesendet.`,
  resumeAction: 'Sie stimmt: wieder Mails senden',
  resumedTitle: 'Es werden wieder Mails gesendet',
  resumed: (name, address) => `${address} bekommt Mails von ${name}.`,
};
