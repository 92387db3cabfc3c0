import type { invitationMails as english } from '../en/invitation-mails';

export const invitationMails: typeof english = {
  subject: (inviter, name) => `Einladung von ${inviter} zu ${name}`,
  reminderSubject: (inviter, name) => `Erinnerung: Einladung von ${inviter} zu ${name}`,
  said: (inviter, email, name, url) => `${inviter} (${email}) lädt zum Gespräch bei ${name} (${url}) ein.`,
  reminder: (inviter, email, name, url) => `${inviter} (${email}) hofft noch auf einen Beitritt zu ${name} (${url}).`,
  action: 'Einladung annehmen',
  end: (time) => `Die Einladung gilt bis ${time}. `,
  footer: 'Ist kein Beitritt gewünscht, ist nichts zu tun.',
  confirmation: {
    subject: (name) => `Beitritt zu ${name}`,
    said: (name, url) => `Der Beitritt zu ${name} (${url}) ist fast fertig: Es fehlt nur noch das Konto.`,
    action: 'Konto anlegen',
    footer: 'Der Link gilt einen Tag lang. War das nicht gewollt, ist nichts zu tun.',
  },
};
