import type { digestMails as english } from '../en/digest-mails';

export const digestMails: typeof english = {
  subject: (name) => `Verpasst bei ${name}`,
  unread: (messages, conversations, since) =>
    `Seit ${since} gibt es ${messages === 1 ? '1 ungelesene Nachricht' : `${messages} ungelesene Nachrichten`} in ${conversations === 1 ? '1 Unterhaltung' : `${conversations} Unterhaltungen`}.`,
  counted: (heading, messages) => `${heading} (${messages === 1 ? '1 Nachricht' : `${messages} Nachrichten`})`,
  newChannels: 'Neue Kanäle',
  footer: (name) =>
    `Diese Mail kommt während einer Abwesenheit einmal in der Woche von ${name}, wenn etwas geschehen ist.`,
};
