/** Of errors with a code of their own, by code. */
const byCode = {
  AUTHENTICATION_FAILED: 'Your username or password is incorrect',
  NONEXISTENT_SUBDOMAIN: 'There is no organization at this address.',
  PASSWORD_AUTH_DISABLED: 'Password authentication is disabled in this organization',
  RATE_LIMIT_HIT: 'There were too many attempts. Try again later.',
  REALM_DEACTIVATED: 'This organization has been deactivated',
  REQUEST_VARIABLE_MISSING: 'Something is missing in the form.',
  SERVER_NOT_READY: 'The server is not ready; please try again',
  USER_DEACTIVATED: 'Account is deactivated',
  INTERNAL_SERVER_ERROR: 'Internal server error',
};

/** Why an address gets no account, by realm's objection. */
const objections: Readonly<Record<string, string>> = {
  invalid: 'Invalid address.',
  domain: 'Outside your domain.',
  disposable: 'Please use your real email address.',
  plus: 'Email addresses containing + are not allowed.',
};

/** By the kind of account that has the address. */
const holders: Readonly<Record<string, string>> = {
  'system-bot': 'Reserved for system bots.',
  active: 'Already has an account.',
  deactivated: 'Account has been deactivated.',
};

const accounts = {
  emailInUse: 'Email is already in use.',
  emailChangesDisabled: 'Email address changes are disabled in this organization.',
  nameTooShort: 'Name too short!',
  nameTooLong: 'Name too long!',
  nameCharacters: 'Invalid characters in name!',
  nameFormat: 'Invalid format!',
  nameTaken: 'Unique names required in this organization.',
  weakPassword: 'The password is too weak.',
  longPassword: (most: string) => `password is too long (limit: ${most} characters)`,
  mustAcceptTerms: 'You must accept the terms of service.',
};

/** Of the links in mails and in invitations. */
const links = {
  noInvitation: 'No such invitation',
  otherAddress: 'This invitation is for another email address.',
  noPasswordLink: 'The link is not valid, was used before, or has expired.',
  noAddressLink: 'The confirmation link is not valid, or has expired.',
  noMailLink: 'The link is not valid.',
};

/** Of sign-in providers. */
const providers = {
  unknown: 'The organization has no such sign-in provider.',
  unreachable: (fault: string) => `The sign-in provider cannot be reached: ${fault}.`,
  otherIssuer: (own: string) => `The sign-in provider calls itself ${own}: its issuer must be exactly that.`,
  notSafe: 'The sign-in provider does not say where to sign in, with https.',
  sealedElsewhere: 'The provider’s client secret must be entered again: the server has another BOT_KEY_SECRET.',
  refused: (word: string) => `The sign-in provider has refused: ${word}.`,
  invalidAnswer:
    'The sign-in provider’s answer is not valid. Please sign in again; if that does not help, ask an administrator.',
  notBegun:
    'This sign-in was not begun in this browser, is finished already, or has taken longer than ten minutes. Please sign in again.',
  noIdentifier: 'The sign-in provider names you by something that is no identifier.',
  notForAccount: 'This account cannot sign in through a provider.',
  noAddress: 'The sign-in provider does not name your email address. Please ask an administrator.',
  unconfirmedAddress:
    'The sign-in provider does not confirm that your email address is yours. Confirm it there, or ask an administrator.',
  otherIdentity:
    'The account with your email address belongs to another sign-in. Sign in as before, or ask an administrator.',
  noAccount:
    'You have no account here. Open the link of your invitation first; if you have none, ask an administrator for one.',
  otherDomain: 'Your email address is of no domain whose people may join this organization.',
  noToken: 'The login token is not valid, was used before, or has expired.',
  address: (name: string) => `${name} must be an address with https, without "?" and "#".`,
};

/** Of LDAP directories. */
const directories = {
  unreachable: "The organization's directory cannot be reached. Try again in a few minutes.",
  noAddress: 'The directory has no email address for this person.',
  noAccount: 'You have no account in this organization. Ask its administrators for one.',
  otherEntry: 'The account with this address belongs to another entry of the directory.',
  bot: 'The address belongs to a bot.',
  deactivated: 'The account with this address is deactivated.',
};

const messages = {
  empty: 'Message must not be empty',
  recipientGone: (email: string) => `'${email}' is no longer using Parley.`,
  mayNotPost: (name: string) => `Not authorized to send to channel '${name}'`,
  mayNotMention: (name: string) => `You are not allowed to mention user group '${name}'.`,
  recipientsHidden: 'You do not have permission to access some of the recipients.',
  mayNotBegin: 'You do not have permission to initiate direct message conversations.',
  mayNotCreateTopics: 'You do not have permission to create new topics in this channel.',
  deletedAlready: 'Message already deleted',
  mayNotDelete: "You don't have permission to delete this message",
  tooLateToDelete: 'The time limit for deleting this message has passed',
  noEditing: 'Your organization has turned off message editing',
  mayNotEdit: "You don't have permission to edit this message",
  tooLateToEdit: 'The time limit for editing this message has passed',
  mayNotMove: "You don't have permission to move this message",
  tooManyToMove: 'These are too many messages to move at once. Move the later ones first, in parts.',
  mayNotResolve: "You don't have permission to resolve topics in this channel.",
  generalIsNotResolved: 'General chat cannot be marked as resolved',
  widgetsStay: 'Widgets cannot be edited.',
  editedTooOften: 'This message has been edited too often.',
  noHistory: 'Message edit history is disabled in this organization',
  noReceipts: 'Read receipts are disabled in this organization.',
  tooManyDrafts: 'There are too many drafts; delete some of them first.',
  tooManySnippets: 'There are too many saved snippets; delete some of them first.',
  tooManyReminders: 'There are too many reminders; delete some of them first.',
  tooManyScheduled: 'There are too many scheduled messages; delete some of them first.',
  sentAlready: 'Scheduled message was already sent',
  noScheduled: 'Scheduled message does not exist',
  noReminder: 'Reminder does not exist',
  timeHasPassed: 'Scheduled delivery time must be in the future.',
  timeTooFar: 'Scheduled delivery time is too far in the future.',
  searchTooLong: (most: string) => `The search is too long (limit: ${most} characters)`,
  reportNeedsReason: 'An explanation must be provided.',
  notYourQuestion: "You can't edit a question unless you are the author.",
  notYourList: "You can't edit the task list title unless you are the author.",
  mayNotMentionChannel: 'You do not have permission to use channel wildcard mentions in this channel.',
  mayNotMentionTopic: 'You do not have permission to use topic wildcard mentions in this topic.',
  movable: (movable: string, total: string) =>
    `You only have permission to move the ${movable}/${total} most recent messages in this topic.`,
};

const channels = {
  nameEmpty: "Channel name can't be empty.",
  nameTooLong: (most: string) => `Channel name too long (limit: ${most} characters).`,
  nameCharacter: (position: string) => `Invalid character in channel name, at position ${position}.`,
  topicCharacter: (position: string) => `Invalid character in topic, at position ${position}!`,
  isNamedSo: 'Channel already has that name.',
  archivedAlready: 'Channel is already deactivated',
  notArchived: 'Channel is not currently deactivated',
  defaultIsPublic: 'A default channel cannot be private.',
  noPrivateDefault: 'Private channels cannot be made default.',
  reportsArePrivate: 'A moderation request channel cannot be public.',
  reportsNeedPrivate: 'Moderation request channel must be private.',
  mayNotPostHere: 'You do not have permission to post in this channel.',
  mayNotAdd: 'You do not have permission to subscribe other users to channels.',
  folderNameEmpty: "Channel folder name can't be empty.",
  folderNameTaken: 'Channel folder name already in use',
  folderNameCharacter: (position: string) => `Invalid character in channel folder name, at position ${position}.`,
  folderNotEmpty: 'You need to remove all the channels from this folder to archive it.',
  taken: (name: string) => `Channel '${name}' already exists`,
  unknown: (name: string) => `Channel '${name}' does not exist`,
  unknownId: (id: string) => `Channel with ID '${id}' does not exist`,
  mayNotAdminister: 'You do not have permission to administer this channel.',
  mayNotChangeDefaults: 'You do not have permission to change default channels.',
  hasTopics:
    'To enable this configuration, all messages in this channel must be in the general chat topic. Consider renaming or deleting other topics.',
};

const people = {
  wrongPassword: 'Wrong password!',
  tooManyAttempts: (seconds: string) => `You're making too many attempts! Try again in ${seconds} seconds.`,
  address: 'Enter a valid email address.',
  newAddress: 'Invalid new email address.',
  noPictures: 'Avatar changes are disabled in this organization.',
  lastOwner: 'The owner permission cannot be removed from the only organization owner.',
  lastOwnerStays: 'Cannot deactivate the only organization owner',
  deactivated: 'User is deactivated',
  mutedAlready: 'User already muted',
  yourself: 'Cannot mute self',
  ownersOnly: 'Must be an organization owner',
  noGuests: 'Not allowed for guest users',
  notYourField: 'You are not allowed to change this field. Contact an administrator to update it.',
  keyName: (most: string) => `A key's name has at most ${most} characters, all printable.`,
  tooManyKeys: (most: string) => `You have ${most} keys and sessions. End some first.`,
  noKey: 'No such API key',
  tooManyWords: (most: string) => `You cannot have more than ${most} alert words.`,
  adminsOnly: 'Must be an organization administrator',
  onlyOwner: 'Cannot deactivate the only organization owner.',
  onlyUser: 'Cannot deactivate the only user.',
  newPasswordWeak: 'New password is too weak!',
};

const invitations = {
  noAddress: 'You must specify at least one email address.',
  tooMany: (most: string) => `Too many email addresses (limit: ${most})`,
  tooNew:
    'Your account is too new to send invites for this organization. Ask an organization admin, or a more experienced user.',
  someInvalid: "Some emails did not validate, so we didn't send any invitations.",
  nobody: "We weren't able to invite anyone.",
  revoked: 'Invitation has already been revoked',
  someHaveAccounts:
    "Some of those addresses are already using Parley, so we didn't send them an invitation. We did send invitations to everyone else!",
};

const groups = {
  deactivated: 'User group is deactivated.',
  unknown: 'Invalid user group',
  inUse: 'Cannot deactivate user group in use.',
  taken: (name: string) => `User group '${name}' already exists.`,
};

const bots = {
  badName: 'Bad name or username',
  nameTaken: 'Name is already in use!',
  usernameTaken: 'Username already in use',
  unknown: 'No such bot',
};

const emoji = {
  nameMissing: 'Emoji name is missing',
  nameTaken: 'A custom emoji with this name already exists.',
  nameCharacters: 'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.',
  nameEnd: 'Emoji names must end with either a letter or digit.',
  overridesDefault: 'Only administrators can override default emoji.',
  notYours: 'Must be an organization administrator or emoji author',
};

const files = {
  tooLarge: (most: string) => `Uploaded file is larger than the allowed limit of ${most} MiB`,
  imageTooLarge: 'Image size exceeds limit.',
  imageFormat: 'Invalid image format',
  oneFile: 'You must upload exactly one file.',
  quota: "Upload would exceed your organization's upload quota.",
  ownQuota: (most: string) => `Upload would exceed your own upload quota of ${most} MiB.`,
  notImage: 'Could not decode image; did you upload an image file?',
};

const lists = {
  domainTaken: (domain: string) => `The domain ${domain} is already a part of your organization.`,
  domain: (problem: string) => `Invalid domain: ${problem}`,
  playgroundLanguage: 'Invalid characters in pygments language',
  fieldTaken: 'A field with that label already exists.',
  fieldLabel: 'Label cannot be blank.',
  noChoice: 'Field must have at least one choice.',
  doubleChoice: 'Field must not have duplicate choices.',
  fieldsInSummary: (most: string) => `Only ${most} custom profile fields can be displayed in the profile summary.`,
  exportsPerWeek: 'Exceeded rate limit.',
  addressTemplate: 'Invalid URL template.',
  pattern: (problem: string) => `Bad regular expression: ${problem}`,
  missingInPattern: (name: string) => `Group '${name}' in URL template is not present in linkifier pattern.`,
  missingInTemplate: (name: string) => `Group '${name}' in linkifier pattern is not present in URL template.`,
  codeMissing: 'Missing the required variable "code" in the URL template',
  onlyCode: '"code" should be the only variable present in the URL template',
  blank: 'This field cannot be blank.',
  linkifierTaken: 'A linkifier with this pattern already exists.',
  playgroundTaken: 'A playground of this name for this language already exists.',
};

const organization = {
  nameBlank: 'name cannot be blank',
  nameCharacter: (position: string) => `Invalid character in name, at position ${position}.`,
  noMethod: 'At least one authentication method must be enabled.',
  callServer: 'jitsi_server_url is not an allowed_type',
};

const requests = {
  otherSite: 'This form was sent by another site. Open the page here and try again.',
  path: 'Malformed path',
  noFile: 'File not found',
  notYourFile: 'You are not authorized to view this file.',
  token: 'Invalid token',
  noUser: 'No such user',
  notUrl: (name: string) => `${name} is not a URL`,
  tooLong: (name: string, most: string) => `${name} is too long (limit: ${most} characters)`,
  mayNot: 'Insufficient permission',
};

/** Why something is refused to people, on pages and in the web client; these are the API’s texts, too. The first one that fits counts. */
export const refusals = {
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

export type RefusalTexts = typeof refusals;
