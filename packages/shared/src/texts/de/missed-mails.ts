import type { missedMails as english } from '../en/missed-mails';

export const missedMails: typeof english = {
  direct: (names) => `Direktnachrichten mit ${names}`,
  directToSelf: 'Nachrichten an sich selbst',
  inSubject: (subject, realm) => `${subject} [${realm}]`,
  several: (messages, conversations) => `${messages} neue Nachrichten in ${conversations} Unterhaltungen`,
  from: (names) => `Von ${names}`,
  hiddenContent: (realm) =>
    `Nachrichten werden hier nicht zitiert: So ist es für dieses Konto oder für ${realm} eingestellt.`,
  earlier: (count) => (count === 1 ? '1 frühere Nachricht' : `${count} frühere Nachrichten`),
  otherConversations: (count) => (count === 1 ? '1 weitere Unterhaltung' : `${count} weitere Unterhaltungen`),
  hiddenPart: '[verborgen]',
  picture: '[Bild]',
  open: (realm) => `${realm} öffnen`,
  mayReply: 'Eine Antwort auf diese Mail erscheint in der Unterhaltung.',
  mayNotReply: 'Antworten auf diese Mail liest niemand.',
  reason: (reasons, realm) => `Anlass dieser Mail von ${realm}: ${reasons.join('; ')}.`,
  reasons: {
    'direct-message': 'neue Direktnachrichten',
    mention: 'eine Erwähnung',
    'alert-word': 'eines der eigenen Signalwörter',
    'followed-topic-wildcard': 'eine Erwähnung aller in einem gefolgten Thema',
    wildcard: 'eine Erwähnung aller',
    'followed-topic': 'neue Nachrichten in einem gefolgten Thema',
    channel: 'neue Nachrichten in einem Kanal, zu dem Mails eingeschaltet sind',
  },
};
