import type { RefusalTexts } from '../en/refusals';

type Said = RefusalTexts['said'];

const byCode: RefusalTexts['byCode'] = {
  AUTHENTICATION_FAILED: 'Name oder Passwort ist falsch.',
  NONEXISTENT_SUBDOMAIN: 'Unter dieser Adresse gibt es keine Organisation.',
  PASSWORD_AUTH_DISABLED: 'In dieser Organisation ist die Anmeldung mit einem Passwort ausgeschaltet.',
  RATE_LIMIT_HIT: 'Das waren zu viele Versuche. Bitte später noch einmal versuchen.',
  REALM_DEACTIVATED: 'Diese Organisation wurde deaktiviert.',
  REQUEST_VARIABLE_MISSING: 'Im Formular fehlt eine Angabe.',
  SERVER_NOT_READY: 'Der Server ist noch nicht bereit. Bitte noch einmal versuchen.',
  USER_DEACTIVATED: 'Das Konto ist deaktiviert.',
  INTERNAL_SERVER_ERROR: 'Im Server ist ein Fehler aufgetreten.',
};

const objections: Said['objections'] = {
  invalid: 'Das ist keine gültige Adresse.',
  domain: 'Adressen dieser Domain sind nicht erlaubt.',
  disposable: 'Bitte eine dauerhafte E-Mail-Adresse verwenden.',
  plus: 'E-Mail-Adressen mit + sind nicht erlaubt.',
};

const holders: Said['holders'] = {
  'system-bot': 'Diese Adresse ist für Bots des Systems reserviert.',
  active: 'Mit dieser Adresse gibt es schon ein Konto.',
  deactivated: 'Das Konto mit dieser Adresse wurde deaktiviert.',
};

const accounts: Said['accounts'] = {
  emailInUse: 'Die E-Mail-Adresse ist schon in Gebrauch.',
  emailChangesDisabled: 'In dieser Organisation lassen sich E-Mail-Adressen nicht ändern.',
  nameTooShort: 'Der Name ist zu kurz.',
  nameTooLong: 'Der Name ist zu lang.',
  nameCharacters: 'Der Name enthält unzulässige Zeichen.',
  nameFormat: 'Am Ende eines Namens darf kein | mit einer Zahl stehen.',
  nameTaken: 'In dieser Organisation gibt es jeden Namen nur einmal, und dieser ist vergeben.',
  weakPassword: 'Das Passwort ist zu schwach.',
  longPassword: (most) => `Das Passwort ist zu lang (höchstens ${most} Zeichen).`,
  mustAcceptTerms: 'Die Nutzungsbedingungen müssen akzeptiert werden.',
};

const links: Said['links'] = {
  noInvitation: 'Diese Einladung gibt es nicht.',
  otherAddress: 'Diese Einladung ist für eine andere E-Mail-Adresse.',
  noPasswordLink: 'Der Link gilt nicht, wurde schon benutzt oder ist abgelaufen.',
  noAddressLink: 'Der Link zur Bestätigung gilt nicht oder ist abgelaufen.',
  noMailLink: 'Der Link gilt nicht.',
};

const providers: Said['providers'] = {
  unknown: 'Die Organisation hat keinen solchen Anmeldeanbieter.',
  unreachable: (fault) => `Der Anmeldeanbieter ist nicht zu erreichen: ${fault}.`,
  otherIssuer: (own) => `Der Anmeldeanbieter nennt sich ${own}: Genau so muss sein Aussteller eingetragen sein.`,
  notSafe: 'Der Anmeldeanbieter nennt keine Adresse mit https zum Anmelden.',
  sealedElsewhere:
    'Das Geheimnis des Anbieters muss neu eingetragen werden: Der Server hat einen anderen BOT_KEY_SECRET.',
  refused: (word) => `Der Anmeldeanbieter hat abgelehnt: ${word}.`,
  invalidAnswer:
    'Die Antwort des Anmeldeanbieters ist ungültig. Bitte neu anmelden; hilft das nicht, hilft die Verwaltung der Organisation.',
  notBegun:
    'Diese Anmeldung wurde nicht in diesem Browser begonnen, ist schon fertig oder hat länger als zehn Minuten gedauert. Bitte neu anmelden.',
  noIdentifier: 'Der Anmeldeanbieter nennt keine gültige Kennung.',
  notForAccount: 'Dieses Konto kann sich nicht über einen Anbieter anmelden.',
  noAddress: 'Der Anmeldeanbieter nennt keine E-Mail-Adresse. Hier hilft die Verwaltung der Organisation.',
  unconfirmedAddress:
    'Der Anmeldeanbieter bestätigt nicht, wem die E-Mail-Adresse gehört. Sie lässt sich dort bestätigen; sonst hilft die Verwaltung der Organisation.',
  otherIdentity:
    'Das Konto mit dieser E-Mail-Adresse gehört zu einer anderen Anmeldung. Bitte anmelden wie bisher; sonst hilft die Verwaltung der Organisation.',
  noAccount:
    'Hier gibt es kein Konto dazu. Bitte zuerst den Link der Einladung öffnen; ohne Einladung hilft die Verwaltung der Organisation.',
  otherDomain: 'Die E-Mail-Adresse gehört zu keiner Domain, deren Personen dieser Organisation beitreten können.',
  noToken: 'Das Anmeldetoken gilt nicht, wurde schon benutzt oder ist abgelaufen.',
};

const directories: Said['directories'] = {
  unreachable:
    'Das Verzeichnis der Organisation ist nicht zu erreichen. Bitte in einigen Minuten noch einmal versuchen.',
  noAddress: 'Im Verzeichnis hat diese Person keine E-Mail-Adresse.',
  noAccount: 'In dieser Organisation gibt es kein Konto dazu. Hier hilft die Verwaltung der Organisation.',
  otherEntry: 'Das Konto mit dieser Adresse gehört zu einem anderen Eintrag des Verzeichnisses.',
  bot: 'Die Adresse gehört einem Bot.',
  deactivated: 'Das Konto mit dieser Adresse ist deaktiviert.',
};

const requests: Said['requests'] = {
  otherSite:
    'Dieses Formular wurde von einer anderen Seite geschickt. Bitte die Seite hier öffnen und noch einmal versuchen.',
  path: 'Die Adresse lässt sich nicht lesen.',
  noFile: 'Diese Datei gibt es nicht.',
  notYourFile: 'Diese Datei ist nicht für dieses Konto.',
  token: 'Die Adresse gilt nicht oder ist abgelaufen.',
  noUser: 'Diese Person gibt es nicht.',
};

export const refusals: RefusalTexts = {
  byCode,
  said: { objections, holders, accounts, links, providers, directories, requests },
};
