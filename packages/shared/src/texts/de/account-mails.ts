import type { accountMails as english } from '../en/account-mails';

export const accountMails: typeof english = {
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
      `Danach gibt es über „Forgotten your password?“ auf der Anmeldeseite einen neuen Link. Ist ${name} nicht bekannt, ist nichts zu tun.`,
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
