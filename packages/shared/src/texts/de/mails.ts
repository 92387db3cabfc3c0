import type { MailTexts } from '../en/mails';
import { pages } from './pages';

const layout: MailTexts['layout'] = {
  copyAddress: 'Oder diese Adresse kopieren:',
  stop: 'Keine Mails dieser Art mehr senden',
};

const accounts: MailTexts['accounts'] = {
  deactivated: {
    subject: (name) => `Das Konto bei ${name} wurde deaktiviert`,
    said: (name, url) => `Das Konto bei ${name} (${url}) wurde deaktiviert: Eine Anmeldung ist nicht mehr möglich.`,
    comment: 'Dazu schreibt die Verwaltung:',
    footer: (name) => `Diese Mail geht an alle, deren Konto bei ${name} deaktiviert wird.`,
  },
  emailChanged: {
    subject: (name) => `Die E-Mail-Adresse bei ${name} wurde geändert`,
    said: (name, url, newEmail) => `Die E-Mail-Adresse des Kontos bei ${name} (${url}) ist jetzt ${newEmail}.`,
    warning: 'War das nicht gewollt, sollte die Verwaltung der Organisation es sofort erfahren.',
    footer: 'Diese Mail geht an die bisherige Adresse des Kontos; sie ist die letzte.',
  },
  emailConfirmation: {
    subject: (name) => `Bitte die neue E-Mail-Adresse für ${name} bestätigen`,
    said: (name, url, oldEmail, newEmail) =>
      `Die E-Mail-Adresse des Kontos ${oldEmail} bei ${name} (${url}) soll in ${newEmail} geändert werden.`,
    validity: 'Sie ändert sich mit der Bestätigung, die einen Tag lang möglich ist.',
    action: 'Neue Adresse bestätigen',
    footer: 'War das nicht gewollt, ist nichts zu tun: Dann bleibt die Adresse, wie sie ist.',
  },
  identityLinked: {
    subject: (name, provider) => `Anmeldung bei ${name} mit ${provider}`,
    said: (name, url, provider, email) =>
      `Bei ${name} (${url}) gab es eine Anmeldung mit ${provider}; dort gehört dazu die Adresse ${email}.`,
    consequence: 'Von jetzt an öffnet diese Anmeldung das Konto.',
    footer: (name) => `War das jemand anderes, sollte die Verwaltung von ${name} es sofort erfahren.`,
  },
  ldapLinked: {
    subject: (name) => `Das Konto bei ${name} gehört jetzt zum Verzeichnis der Organisation`,
    said: (name, url, email) =>
      `Das Konto ${email} bei ${name} (${url}) ist jetzt mit dem Eintrag im Verzeichnis der Organisation verbunden.`,
    consequence: 'Zur Anmeldung gilt von jetzt an das Passwort des Verzeichnisses; das bisherige gilt nicht mehr.',
    footer: 'War das nicht bekannt, hilft die Verwaltung der Organisation weiter.',
  },
  newAccount: {
    subject: (name) => `Willkommen bei ${name}`,
    said: (name, url, email) =>
      `Bei ${name} (${url}) gibt es jetzt ein Konto für diese Adresse. Die Anmeldung geht mit ${email}.`,
    validity: 'Es fehlt nur noch ein Passwort. Der Link gilt einmal, innerhalb von sieben Tagen.',
    action: 'Passwort wählen',
    footer: (name) =>
      `Danach gibt es über „${pages.signIn.forgotten}“ auf der Anmeldeseite einen neuen Link. Ist ${name} nicht bekannt, ist nichts zu tun.`,
    ways: (ways) => `Ein eigenes Passwort ist nicht nötig: Die Anmeldung geht mit ${ways}.`,
    directory: 'dem Passwort des Verzeichnisses der Organisation',
    signIn: 'Anmelden',
    footerWithoutPassword: (name) => `Ist ${name} nicht bekannt, ist nichts zu tun.`,
  },
  passwordReset: {
    subject: (name) => `Ein neues Passwort für ${name}`,
    said: (name, url, email) => `Für das Konto ${email} bei ${name} (${url}) wurde ein neues Passwort angefordert.`,
    validity: 'Der Link gilt einmal, innerhalb eines Tages. Er beendet die Sitzungen in allen Browsern.',
    action: 'Neues Passwort festlegen',
    footer: 'War das nicht gewollt, ist nichts zu tun: Dann bleibt das Passwort, wie es ist.',
  },
  signIn: {
    subject: (name) => `Anmeldung bei ${name} von einem neuen Gerät`,
    said: (name, url, email) =>
      `Beim Konto ${email} bei ${name} (${url}) gab es eine Anmeldung von einem Gerät, das bisher nicht bekannt war.`,
    time: (time) => `Zeit: ${time}`,
    device: (device) => `Gerät: ${device}`,
    address: (address) => `Adresse: ${address}`,
    unknown: 'unbekannt',
    advice:
      'War das eine eigene Anmeldung, ist alles in Ordnung. Sonst beendet ein neues Passwort die Sitzungen in allen Browsern; unbekannte Schlüssel sind zu widerrufen.',
    action: 'Neues Passwort festlegen',
    adviceWithoutPassword:
      'War das eine eigene Anmeldung, ist alles in Ordnung. Sonst sind unbekannte Sitzungen und Schlüssel zu beenden, und die Verwaltung der Organisation sollte es sofort erfahren.',
    review: 'Sitzungen und Schlüssel ansehen',
    footer: (name) => `Diese Mail kommt, weil für das Konto bei ${name} Mails über Anmeldungen eingeschaltet sind.`,
  },
  keyMade: {
    subject: (name) => `Ein neuer API-Schlüssel für das Konto bei ${name}`,
    said: (name, url, email) =>
      `Es gibt einen neuen Schlüssel, mit dem ein Programm das Konto ${email} bei ${name} (${url}) benutzen kann.`,
    label: (label) => `Name des Schlüssels: ${label}`,
    replaced: 'Die früheren Schlüssel des Kontos gelten nicht mehr.',
    time: (time) => `Zeit: ${time}`,
    advice:
      'War das gewollt, ist alles in Ordnung. Sonst ist der Schlüssel zu widerrufen und ein neues Passwort festzulegen.',
    action: 'Sitzungen und Schlüssel ansehen',
    footer: 'Diese Mail kommt immer, damit niemand unbemerkt einen Schlüssel anlegt.',
  },
};

const invitations: MailTexts['invitations'] = {
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

const missed: MailTexts['missed'] = {
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

const digest: MailTexts['digest'] = {
  subject: (name) => `Verpasst bei ${name}`,
  unread: (messages, conversations, since) =>
    `Seit ${since} gibt es ${messages === 1 ? '1 ungelesene Nachricht' : `${messages} ungelesene Nachrichten`} in ${conversations === 1 ? '1 Unterhaltung' : `${conversations} Unterhaltungen`}.`,
  counted: (heading, messages) => `${heading} (${messages === 1 ? '1 Nachricht' : `${messages} Nachrichten`})`,
  newChannels: 'Neue Kanäle',
  footer: (name) =>
    `Diese Mail kommt während einer Abwesenheit einmal in der Woche von ${name}, wenn etwas geschehen ist.`,
};

const bounce: MailTexts['bounce'] = (address, reason, url) =>
  `Mails an die Adresse ${address} kommen nicht an, deshalb werden keine mehr gesendet. Der Mailserver meldet: ${reason}\n\nDie [Adresse lässt sich ändern](/#settings/profile). Stimmt sie doch, [können Mails wieder kommen](${url}).`;

export const mails: MailTexts = { layout, accounts, invitations, missed, digest, bounce };
