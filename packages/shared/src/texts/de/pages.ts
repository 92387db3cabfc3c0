import type { PageTexts } from '../en/pages';

const signIn: PageTexts['signIn'] = {
  title: (name) => `Anmelden bei ${name}`,
  by: (provider) => `Mit ${provider} anmelden`,
  loginName: 'Anmeldename oder E-Mail-Adresse',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  action: 'Anmelden',
  forgotten: 'Passwort vergessen?',
  owners: 'Eigentümer melden sich mit einem Passwort an',
  noPasswords: 'In dieser Organisation ist die Anmeldung mit einem Passwort ausgeschaltet.',
  withoutPassword: 'Ohne Passwort anmelden',
  development: 'Dies ist ein Server für die Entwicklung.',
};

const outside: PageTexts['outside'] = {
  waitTitle: 'Im Browser anmelden',
  wait: 'Die Seite zum Anmelden ist jetzt im Browser offen. Danach dort den angezeigten Code kopieren und hierher zurückkehren.',
  waitLabel: 'Der Code aus dem Browser',
  anotherWay: 'Auf andere Weise anmelden',
  codeTitle: 'Die Anmeldung ist fertig',
  code: 'Bitte diesen Code kopieren und in die App zurückkehren, von der diese Anmeldung kam. Er gilt einmal, 15 Sekunden lang; war das zu kurz, hilft eine neue Anmeldung von der App aus.',
  codeLabel: 'Code',
  copy: 'Code kopieren',
  copied: 'Kopiert. Weiter geht es in der App.',
  refusedTitle: 'Die Anmeldung ging nicht',
  fromApp: 'Kam diese Anmeldung von einer App, bitte dort neu beginnen.',
  toSignIn: 'Zur Anmeldeseite',
};

const choice: PageTexts['choice'] = {
  title: 'Organisation wählen',
  label: 'Organisation',
  hint: (example) => `Ihr Name auf diesem Server oder ihre ganze Adresse: acme oder ${example}.`,
  action: 'Weiter',
  unknown: 'Auf diesem Server gibt es keine solche Organisation. Ist der Name richtig geschrieben?',
};

const common: PageTexts['common'] = {
  passwordHint: (least, most) => `${least} bis ${most} Zeichen und nicht leicht zu erraten.`,
  yourEmail: 'E-Mail-Adresse',
  sendLink: 'Link senden',
  mailedTitle: 'Bitte in die Mails sehen',
};

const joining: PageTexts['joining'] = {
  title: (name) => `Beitritt zu ${name}`,
  address: (email) => `Die Einladung gilt für ${email}.`,
  yourName: 'Name',
  password: 'Passwort wählen',
  action: 'Beitreten',
  linkHint: 'An diese Adresse geht ein Link, mit dem es weitergeht.',
  terms: (link) => `Ich akzeptiere die ${link}.`,
  termsLink: 'Nutzungsbedingungen',
  mailed: (email) => `An ${email} ist ein Link unterwegs. Er führt zum neuen Konto und gilt einen Tag lang.`,
  readyTitle: 'Willkommen',
  ready: (email, url) => `Das Konto ist fertig. Die Anmeldung geht mit ${email} bei ${url}.`,
  advice:
    'Einladungen gelten nur eine Zeit lang, und jede gilt für ein Konto. Wer eingeladen hat, kann eine neue schicken; wer schon ein Konto hat, meldet sich damit an.',
};

const newPassword: PageTexts['newPassword'] = {
  askTitle: (name) => `Ein neues Passwort für ${name}`,
  askHint: 'An diese Adresse geht ein Link, mit dem sich ein neues Passwort festlegen lässt.',
  mailed: (email) =>
    `Wenn ${email} hier ein Konto hat, ist ein Link dorthin unterwegs. Er führt zu einem neuen Passwort und gilt einen Tag lang.`,
  title: 'Neues Passwort wählen',
  account: (name, email) => `Das Konto bei ${name} hat die Adresse ${email}.`,
  label: 'Neues Passwort',
  action: 'Passwort festlegen',
  doneTitle: 'Das Passwort ist festgelegt',
  done: (email) => `Das Passwort von ${email} ist festgelegt. Alle Browser wurden abgemeldet.`,
};

const newAddress: PageTexts['newAddress'] = {
  title: 'Ist das die neue E-Mail-Adresse?',
  question: (name, email) => `Das Konto bei ${name} bekommt die Adresse ${email}.`,
  action: 'Neue Adresse bestätigen',
  doneTitle: 'Die E-Mail-Adresse ist geändert',
  done: (name, email) => `Das Konto bei ${name} hat jetzt die Adresse ${email}.`,
};

const mailLinks: PageTexts['mailLinks'] = {
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

const errors: PageTexts['errors'] = {
  title: 'Das ging nicht',
  start: 'Zur Startseite',
  noPageTitle: 'Diese Seite gibt es nicht',
  noPage: 'Ist ihre Adresse richtig geschrieben?',
  noMethodTitle: 'Das geht hier nicht',
  noMethod: 'Diese Adresse nimmt solche Anfragen nicht an.',
  deactivatedRealmTitle: 'Diese Organisation ist deaktiviert',
  deactivatedRealm:
    'Eine Anmeldung ist nicht möglich, und nichts darin lässt sich lesen oder senden. Was geschrieben wurde, bleibt erhalten.',
  reactivateRealm:
    'Wird sie noch gebraucht, hilft die Verwaltung der Organisation weiter: Der Betreiber dieses Servers kann sie wieder aktivieren.',
  deactivatedUserTitle: 'Dieses Konto ist deaktiviert',
  deactivatedUser: 'Eine Anmeldung ist nicht möglich. Die Nachrichten bleiben erhalten.',
  reactivateUser: 'Wird es noch gebraucht, kann die Verwaltung der Organisation es wieder aktivieren.',
  noRealmTitle: 'Unter dieser Adresse gibt es keine Organisation',
  noRealm: 'Ist die Adresse richtig geschrieben?',
  signedOutTitle: 'Dazu ist eine Anmeldung nötig',
  signedOut: 'Diese Seite ist für Personen mit einem Konto.',
  tooManyTitle: 'Zu viele Anfragen',
  tooMany: (seconds) => `Bitte ${seconds} Sekunden warten und die Seite dann neu laden.`,
  notReadyTitle: 'Der Server ist noch nicht bereit',
  notReady: 'Bitte einige Sekunden warten und die Seite dann neu laden.',
  faultTitle: 'Etwas ist schiefgegangen',
  fault: 'Der Fehler liegt beim Server. Bitte später noch einmal versuchen.',
  faultNumber: (id) => `Geschieht es wieder, hilft dem Betreiber dieses Servers die Nummer dieser Anfrage: ${id}`,
};

export const pages: PageTexts = {
  signIn,
  outside,
  choice,
  common,
  joining,
  newPassword,
  newAddress,
  mailLinks,
  errors,
};
