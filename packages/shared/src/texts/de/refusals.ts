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
  address: (_name) => `Das muss eine Adresse mit https sein, ohne „?“ und „#“.`,
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

const messages: Said['messages'] = {
  empty: 'Die Nachricht ist leer.',
  recipientGone: (email) => `${email} ist nicht mehr dabei.`,
  mayNotPost: (name) => `In #${name} lässt sich von hier aus nicht schreiben.`,
  mayNotMention: (name) => `Die Gruppe ${name} lässt sich von diesem Konto nicht erwähnen.`,
  recipientsHidden: 'Einige Empfänger sind für dieses Konto nicht zu erreichen.',
  mayNotBegin: 'Dieses Konto darf keine Direktnachrichten beginnen.',
  mayNotCreateTopics: 'In diesem Kanal darf dieses Konto keine Themen beginnen.',
  deletedAlready: 'Die Nachricht ist schon gelöscht.',
  mayNotDelete: 'Diese Nachricht darf dieses Konto nicht löschen.',
  tooLateToDelete: 'Zum Löschen dieser Nachricht ist es zu spät.',
  noEditing: 'In dieser Organisation lassen sich Nachrichten nicht bearbeiten.',
  mayNotEdit: 'Diese Nachricht darf dieses Konto nicht bearbeiten.',
  tooLateToEdit: 'Zum Bearbeiten dieser Nachricht ist es zu spät.',
  mayNotMove: 'Diese Nachricht darf dieses Konto nicht verschieben.',
  tooManyToMove: 'Das sind zu viele Nachrichten auf einmal. Bitte zuerst die späteren verschieben, in mehreren Teilen.',
  mayNotResolve: 'In diesem Kanal darf dieses Konto keine Themen abschließen.',
  generalIsNotResolved: 'Dieses Thema lässt sich nicht abschließen.',
  widgetsStay: 'Umfragen und Aufgabenlisten lassen sich nicht bearbeiten.',
  editedTooOften: 'Diese Nachricht wurde zu oft bearbeitet.',
  noHistory: 'In dieser Organisation ist der Verlauf von Nachrichten nicht zu sehen.',
  noReceipts: 'In dieser Organisation ist nicht zu sehen, wer eine Nachricht gelesen hat.',
  tooManyDrafts: 'Es gibt zu viele Entwürfe. Bitte zuerst einige löschen.',
  tooManySnippets: 'Es gibt zu viele Textbausteine. Bitte zuerst einige löschen.',
  tooManyReminders: 'Es gibt zu viele Erinnerungen. Bitte zuerst einige löschen.',
  tooManyScheduled: 'Es gibt zu viele geplante Nachrichten. Bitte zuerst einige löschen.',
  sentAlready: 'Die geplante Nachricht ist schon gesendet.',
  noScheduled: 'Diese geplante Nachricht gibt es nicht mehr.',
  noReminder: 'Diese Erinnerung gibt es nicht mehr.',
  timeHasPassed: 'Die Zeit muss in der Zukunft liegen.',
  timeTooFar: 'Die Zeit liegt zu weit in der Zukunft.',
  searchTooLong: (most) => `Die Suche ist zu lang (höchstens ${most} Zeichen).`,
  reportNeedsReason: 'Bitte sagen, worum es geht.',
  notYourQuestion: 'Nur wer die Frage gestellt hat, kann sie ändern.',
  notYourList: 'Nur wer die Liste gemacht hat, kann ihren Titel ändern.',
  mayNotMentionChannel: 'In diesem Kanal darf dieses Konto nicht alle erwähnen.',
  mayNotMentionTopic: 'In diesem Thema darf dieses Konto nicht alle erwähnen.',
  movable: (movable, total) =>
    `Nur die ${movable} neuesten der ${total} Nachrichten dieses Themas lassen sich noch verschieben.`,
};

const channels: Said['channels'] = {
  nameEmpty: 'Der Kanal braucht einen Namen.',
  nameTooLong: (most) => `Der Name des Kanals ist zu lang (höchstens ${most} Zeichen).`,
  nameCharacter: (position) => `Im Namen des Kanals ist das Zeichen ${position} nicht erlaubt.`,
  topicCharacter: (position) => `Im Thema ist das Zeichen ${position} nicht erlaubt.`,
  isNamedSo: 'Der Kanal heißt schon so.',
  archivedAlready: 'Der Kanal ist schon archiviert.',
  notArchived: 'Der Kanal ist nicht archiviert.',
  defaultIsPublic: 'Ein Standardkanal kann nicht privat sein.',
  noPrivateDefault: 'Private Kanäle können keine Standardkanäle sein.',
  reportsArePrivate: 'Der Kanal für Meldungen kann nicht öffentlich sein.',
  reportsNeedPrivate: 'Der Kanal für Meldungen muss privat sein.',
  mayNotPostHere: 'In diesem Kanal darf dieses Konto nicht schreiben.',
  mayNotAdd: 'Dieses Konto darf niemanden zu Kanälen hinzufügen.',
  folderNameEmpty: 'Der Ordner braucht einen Namen.',
  folderNameTaken: 'Einen Ordner mit diesem Namen gibt es schon.',
  folderNameCharacter: (position) => `Im Namen des Ordners ist das Zeichen ${position} nicht erlaubt.`,
  folderNotEmpty: 'Der Ordner enthält noch Kanäle.',
  taken: (name) => `Einen Kanal ${name} gibt es schon.`,
  unknown: (name) => `Einen Kanal ${name} gibt es nicht.`,
  unknownId: (id) => `Den Kanal ${id} gibt es nicht.`,
  mayNotAdminister: 'Diesen Kanal darf dieses Konto nicht verwalten.',
  mayNotChangeDefaults: 'Standardkanäle darf dieses Konto nicht ändern.',
  hasTopics: 'Dazu dürfen in diesem Kanal keine Nachrichten mit Thema sein.',
};

const people: Said['people'] = {
  wrongPassword: 'Das bisherige Passwort ist falsch.',
  tooManyAttempts: (seconds) => `Das waren zu viele Versuche. In ${seconds} Sekunden geht es wieder.`,
  address: 'Das ist keine gültige E-Mail-Adresse.',
  newAddress: 'Das ist keine gültige E-Mail-Adresse.',
  noPictures: 'In dieser Organisation lassen sich Bilder nicht ändern.',
  lastOwner: 'Der einzige Eigentümer der Organisation bleibt Eigentümer.',
  lastOwnerStays: 'Der einzige Eigentümer der Organisation lässt sich nicht deaktivieren.',
  deactivated: 'Das Konto ist deaktiviert.',
  mutedAlready: 'Diese Person ist schon stummgeschaltet.',
  yourself: 'Das eigene Konto lässt sich nicht stummschalten.',
  ownersOnly: 'Das können nur Eigentümer der Organisation.',
  noGuests: 'Das können Gäste nicht.',
  notYourField: 'Dieses Feld ändern nur Administratoren.',
  keyName: (most) => `Der Name eines Schlüssels hat höchstens ${most} sichtbare Zeichen.`,
  tooManyKeys: (most) => `Es gibt schon ${most} Schlüssel und Sitzungen. Bitte zuerst einige beenden.`,
  noKey: 'Diesen Schlüssel gibt es nicht mehr.',
  tooManyWords: (most) => `Es kann höchstens ${most} Signalwörter geben.`,
  adminsOnly: 'Das können nur Administratoren der Organisation.',
  onlyOwner: 'Der einzige Eigentümer der Organisation lässt sich nicht deaktivieren.',
  onlyUser: 'Das einzige Konto der Organisation lässt sich nicht deaktivieren.',
  newPasswordWeak: 'Das neue Passwort ist zu schwach.',
};

const invitations: Said['invitations'] = {
  noAddress: 'Bitte mindestens eine E-Mail-Adresse angeben.',
  tooMany: (most) => `Das sind zu viele E-Mail-Adressen (höchstens ${most}).`,
  tooNew: 'Dieses Konto ist zu neu, um einzuladen. Hier hilft die Verwaltung der Organisation.',
  someInvalid: 'Einige Adressen gehen nicht, deshalb wurde niemand eingeladen:',
  nobody: 'Niemand konnte eingeladen werden:',
  revoked: 'Diese Einladung ist schon widerrufen.',
  someHaveAccounts: 'Die anderen sind eingeladen, aber nicht:',
};

const groups: Said['groups'] = {
  deactivated: 'Die Gruppe ist deaktiviert.',
  unknown: 'Diese Gruppe gibt es nicht.',
  inUse: 'Die Gruppe wird noch gebraucht: für eine Berechtigung oder in einer anderen Gruppe.',
  taken: (name) => `Eine Gruppe ${name} gibt es schon.`,
};

const bots: Said['bots'] = {
  badName: 'Name und Kurzname sind nötig; der Kurzname passt in eine E-Mail-Adresse.',
  nameTaken: 'Diesen Namen hat schon ein anderer Bot.',
  usernameTaken: 'Dieser Kurzname ist vergeben.',
  unknown: 'Diesen Bot gibt es nicht.',
};

const emoji: Said['emoji'] = {
  nameMissing: 'Das Emoji braucht einen Namen.',
  nameTaken: 'Ein Emoji mit diesem Namen gibt es schon.',
  nameCharacters:
    'Namen von Emoji haben nur Kleinbuchstaben von a bis z, Ziffern, Leerzeichen, Binde- und Unterstriche.',
  nameEnd: 'Namen von Emoji enden mit einem Buchstaben oder einer Ziffer.',
  overridesDefault: 'Nur Administratoren können ein Emoji durch ein anderes ersetzen.',
  notYours: 'Das können nur Administratoren und wer das Emoji hinzugefügt hat.',
};

const files: Said['files'] = {
  tooLarge: (most) => `Die Datei ist zu groß (höchstens ${most} MiB).`,
  imageTooLarge: 'Das Bild hat zu viele Bildpunkte.',
  imageFormat: 'Bilder in diesem Format gehen nicht.',
  oneFile: 'Bitte eine Datei wählen.',
  quota: 'Dafür hat die Organisation keinen Platz mehr.',
  ownQuota: (most) => `Dafür ist kein Platz mehr: Dieses Konto hat ${most} MiB.`,
  notImage: 'Das ist kein Bild, das sich lesen lässt.',
};

const lists: Said['lists'] = {
  domainTaken: (domain) => `Die Domain ${domain} ist schon dabei.`,
  domain: (_problem) => 'Das ist keine gültige Domain.',
  playgroundLanguage: 'Die Sprache enthält unzulässige Zeichen.',
  fieldTaken: 'Ein Feld mit diesem Namen gibt es schon.',
  fieldLabel: 'Das Feld braucht einen Namen.',
  noChoice: 'Das Feld braucht mindestens eine Möglichkeit.',
  doubleChoice: 'Jede Möglichkeit darf es nur einmal geben.',
  fieldsInSummary: (most) => `Auf der Karte stehen höchstens ${most} Felder.`,
  exportsPerWeek: 'In dieser Woche gab es schon zu viele Exporte.',
  addressTemplate: 'Diese Vorlage einer Adresse geht nicht.',
  pattern: (problem) => `Dieses Muster geht nicht (${problem}).`,
  missingInPattern: (name) => `${name} aus der Vorlage kommt im Muster nicht vor.`,
  missingInTemplate: (name) => `${name} aus dem Muster kommt in der Vorlage nicht vor.`,
  codeMissing: 'In der Vorlage fehlt die Variable „code“.',
  onlyCode: 'In der Vorlage darf „code“ die einzige Variable sein.',
  blank: 'Ein Feld ist leer.',
  linkifierTaken: 'Einen automatischen Link mit diesem Muster gibt es schon.',
  playgroundTaken: 'Eine Spielwiese mit diesem Namen gibt es für diese Sprache schon.',
};

const organization: Said['organization'] = {
  nameBlank: 'Die Organisation braucht einen Namen.',
  nameCharacter: (position) => `Im Namen ist das Zeichen ${position} nicht erlaubt.`,
  noMethod: 'Mindestens eine Art der Anmeldung muss eingeschaltet bleiben.',
  callServer: 'Das ist keine Adresse eines Jitsi-Servers.',
};

const requests: Said['requests'] = {
  otherSite:
    'Dieses Formular wurde von einer anderen Seite geschickt. Bitte die Seite hier öffnen und noch einmal versuchen.',
  path: 'Die Adresse lässt sich nicht lesen.',
  noFile: 'Diese Datei gibt es nicht.',
  notYourFile: 'Diese Datei ist nicht für dieses Konto.',
  token: 'Die Adresse gilt nicht oder ist abgelaufen.',
  noUser: 'Diese Person gibt es nicht.',
  notUrl: (_name) => `Das ist keine Adresse im Web.`,
  tooLong: (_name, most) => `Das ist zu lang (höchstens ${most} Zeichen).`,
  mayNot: 'Dazu fehlt diesem Konto die Berechtigung.',
};

export const refusals: RefusalTexts = {
  byCode,
  said: {
    objections,
    holders,
    accounts,
    links,
    providers,
    directories,
    messages,
    channels,
    people,
    invitations,
    groups,
    bots,
    emoji,
    files,
    lists,
    organization,
    requests,
  },
};
