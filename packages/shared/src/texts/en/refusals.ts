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

const requests = {
  otherSite: 'This form was sent by another site. Open the page here and try again.',
  path: 'Malformed path',
  noFile: 'File not found',
  notYourFile: 'You are not authorized to view this file.',
  token: 'Invalid token',
  noUser: 'No such user',
};

/** Why something is refused to people who are not signed in; these are the API’s texts, too. */
export const refusals = {
  byCode,
  said: { objections, holders, accounts, links, providers, directories, requests },
};

export type RefusalTexts = typeof refusals;
