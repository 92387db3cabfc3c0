import { pages } from './pages';

const layout = {
  copyAddress: 'Or copy this address:',
  stop: 'Send me no more mails of this kind',
};

/** Mails about accounts. `name` and `url` are the organization's. */
const accounts = {
  deactivated: {
    subject: (name: string) => `Your account on ${name} has been deactivated`,
    said: (name: string, url: string) =>
      `Your account on ${name} (${url}) has been deactivated: you can no longer log in.`,
    comment: 'The administrators have added this comment:',
    footer: (name: string) => `You get this mail because you had an account on ${name}.`,
  },
  emailChanged: {
    subject: (name: string) => `Your email address on ${name} has changed`,
    said: (name: string, url: string, newEmail: string) =>
      `The email address of your account on ${name} (${url}) is now ${newEmail}.`,
    warning: 'If you did not ask for this, please tell the administrators of the organization at once.',
    footer: 'You get this mail at the former address of your account; it is the last one.',
  },
  emailConfirmation: {
    subject: (name: string) => `Confirm your new email address for ${name}`,
    said: (name: string, url: string, oldEmail: string, newEmail: string) =>
      `Somebody, probably you, has asked to change the email address of the account ${oldEmail} on ${name} (${url}) to ${newEmail}.`,
    validity: 'It changes when you confirm it, which can be done within a day.',
    action: 'Confirm the new address',
    footer: 'If you did not ask for this you need not do anything: then the address stays as it is.',
  },
  identityLinked: {
    subject: (name: string, provider: string) => `You can sign in to ${name} with ${provider}`,
    said: (name: string, url: string, provider: string, email: string) =>
      `Somebody, probably you, has signed in to ${name} (${url}) with ${provider}, which says that ${email} is their address.`,
    consequence: 'From now on this sign-in opens your account.',
    footer: (name: string) => `If this was not you, tell an administrator of ${name} at once.`,
  },
  ldapLinked: {
    subject: (name: string) => `Your account on ${name} now belongs to the organization’s directory`,
    said: (name: string, url: string, email: string) =>
      `Your account ${email} on ${name} (${url}) was linked to your entry in the organization’s directory.`,
    consequence:
      'From now on you sign in with the password that you have there; your former password is no longer valid.',
    footer: 'If you do not know of this, tell the administrators of the organization.',
  },
  newAccount: {
    subject: (name: string) => `Welcome to ${name}`,
    said: (name: string, url: string, email: string) =>
      `You have an account on ${name} (${url}). You sign in with this address: ${email}.`,
    validity: 'What is left is to choose a password. The link can be used once, within seven days.',
    action: 'Choose a password',
    footer: (name: string) =>
      `After that time, “${pages.signIn.forgotten}” on the sign-in page sends you another link. If you do not know ${name} you need not do anything.`,
    ways: (ways: string) => `You choose no password here: you sign in with ${ways}.`,
    directory: 'your password of the organization’s directory',
    signIn: 'Sign in',
    footerWithoutPassword: (name: string) => `If you do not know ${name} you need not do anything.`,
  },
  passwordReset: {
    subject: (name: string) => `Set a new password for ${name}`,
    said: (name: string, url: string, email: string) =>
      `Somebody, probably you, has asked for a new password for the account ${email} on ${name} (${url}).`,
    validity: 'The link can be used once, within a day. It ends the sessions of all your browsers.',
    action: 'Set a new password',
    footer: 'If you did not ask for this you need not do anything: then your password stays as it is.',
  },
  signIn: {
    subject: (name: string) => `A sign-in to ${name} from a new device`,
    said: (name: string, url: string, email: string) =>
      `Somebody, probably you, has signed in to the account ${email} on ${name} (${url}) from a device that was not known before.`,
    time: (time: string) => `Time: ${time}`,
    device: (device: string) => `Device: ${device}`,
    address: (address: string) => `Address: ${address}`,
    unknown: 'unknown',
    advice:
      'If this was you, all is well. If not, set a new password, which ends the sessions of all your browsers, and revoke keys that you do not know.',
    action: 'Set a new password',
    adviceWithoutPassword:
      'If this was you, all is well. If not, end the sessions and keys that you do not know, and tell an administrator of the organization at once.',
    review: 'See my sessions and keys',
    footer: (name: string) => `You get this mail because you want to know of sign-ins to your account on ${name}.`,
  },
  keyMade: {
    subject: (name: string) => `A new API key for your account on ${name}`,
    said: (name: string, url: string, email: string) =>
      `A key was made by which a program can use the account ${email} on ${name} (${url}).`,
    label: (label: string) => `Name of the key: ${label}`,
    replaced: 'The earlier keys of the account are no longer valid.',
    time: (time: string) => `Time: ${time}`,
    advice: 'If this was you, all is well. If not, revoke the key and set a new password.',
    action: 'See my sessions and keys',
    footer: 'This mail is always sent, so that nobody makes a key unnoticed.',
  },
};

/** Mails about invitations. `name` and `url` are the organization's; the inviter is a person with an address. */
const invitations = {
  subject: (inviter: string, name: string) => `${inviter} has invited you to join ${name}`,
  reminderSubject: (inviter: string, name: string) => `Reminder: ${inviter} has invited you to join ${name}`,
  said: (inviter: string, email: string, name: string, url: string) =>
    `${inviter} (${email}) would like to talk to you on ${name} (${url}).`,
  reminder: (inviter: string, email: string, name: string, url: string) =>
    `${inviter} (${email}) is still hoping that you join ${name} (${url}).`,
  action: 'Accept the invitation',
  end: (time: string) => `The invitation ends on ${time}. `,
  footer: 'If you do not want to join, you need not do anything.',
  confirmation: {
    subject: (name: string) => `Join ${name}`,
    said: (name: string, url: string) =>
      `You are about to join ${name} (${url}). What is left is to make your account.`,
    action: 'Make your account',
    footer: 'The link holds for a day. If it was not you who asked for it, you need not do anything.',
  },
};

/** Mails about messages that somebody has missed. `realm` is the organization's name. */
const missed = {
  direct: (names: string) => `Direct messages with ${names}`,
  directToSelf: 'Messages to yourself',
  inSubject: (subject: string, realm: string) => `${subject} [${realm}]`,
  several: (messages: number, conversations: number) => `${messages} new messages in ${conversations} conversations`,
  from: (names: string) => `From ${names}`,
  hiddenContent: (realm: string) => `This mail does not quote messages, because you or ${realm} have chosen so.`,
  earlier: (count: number) => (count === 1 ? '1 earlier message' : `${count} earlier messages`),
  otherConversations: (count: number) => (count === 1 ? '1 more conversation' : `${count} more conversations`),
  hiddenPart: '[hidden]',
  picture: '[picture]',
  open: (realm: string) => `Open ${realm}`,
  mayReply: 'A reply to this mail appears in the conversation.',
  mayNotReply: 'Replies to this mail are not read.',
  reason: (reasons: readonly string[], realm: string) =>
    `You get this mail from ${realm} because ${reasons.join(', and ')}.`,
  reasons: {
    'direct-message': 'you have new direct messages',
    mention: 'you were mentioned',
    'alert-word': 'one of your alert words was used',
    'followed-topic-wildcard': 'everybody was mentioned in a topic that you follow',
    wildcard: 'everybody was mentioned',
    'followed-topic': 'there are new messages in a topic that you follow',
    channel: 'you want mails about a channel',
  } as Readonly<Record<string, string>>,
};

/** Mails about what happened while somebody was away. `name` is the organization's. */
const digest = {
  subject: (name: string) => `What you missed on ${name}`,
  unread: (messages: number, conversations: number, since: string) =>
    `Since ${since} there ${messages === 1 ? 'is 1 message that you have not read' : `are ${messages} messages that you have not read`}, in ${conversations === 1 ? '1 conversation' : `${conversations} conversations`}.`,
  counted: (heading: string, messages: number) =>
    `${heading} (${messages === 1 ? '1 message' : `${messages} messages`})`,
  newChannels: 'New channels',
  footer: (name: string) => `You get this mail once a week from ${name} while you are away, if something has happened.`,
};

/** A message of the notification bot, in Markdown. */
const bounce = (address: string, reason: string, url: string): string =>
  `Mails to your address ${address} do not arrive, so no more are sent. The mail server says: ${reason}\n\nPlease [change the address](/#settings/profile). If it is right, [let mails come again](${url}).`;

/** Mails, and what is said about them. */
export const mails = { layout, accounts, invitations, missed, digest, bounce };

export type MailTexts = typeof mails;
