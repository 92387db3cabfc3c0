// The pages for people who are not signed in. Values are names, addresses and links, which pages may mark up.

const signIn = {
  title: (name: string) => `Sign in to ${name}`,
  by: (provider: string) => `Sign in with ${provider}`,
  loginName: 'Login name or email address',
  email: 'Email address',
  password: 'Password',
  action: 'Sign in',
  forgotten: 'Forgotten your password?',
  owners: 'Owners sign in with a password',
  noPasswords: 'This organization has switched off signing in with a password.',
  withoutPassword: 'Sign in without a password',
  development: 'This is a development server.',
};

/** Signing in in a browser for a program, or at a provider. */
const outside = {
  waitTitle: 'Sign in in your browser',
  wait: 'Your browser has opened the page where you sign in. When you are done there, copy the code that it shows, and come back.',
  waitLabel: 'The code from your browser',
  anotherWay: 'Sign in in another way',
  codeTitle: 'You are signed in',
  code: 'Copy this code and go back to the app that sent you here. It can be used once, within 15 seconds; if that was too short, sign in again from the app.',
  codeLabel: 'Code',
  copy: 'Copy the code',
  copied: 'Copied. Go back to the app.',
  refusedTitle: 'You are not signed in',
  fromApp: 'If an app sent you here, begin again from there.',
  toSignIn: 'Go to the sign-in page',
};

const choice = {
  title: 'Choose an organization',
  label: 'Your organization',
  hint: (example: string) => `Its name at this server, or its whole address: acme or ${example}.`,
  action: 'Continue',
  unknown: 'This server has no such organization. Check the name for typing errors.',
};

/** Of passwords and links, on several pages. */
const common = {
  passwordHint: (least: string, most: string) => `${least} to ${most} characters, and not easy to guess.`,
  yourEmail: 'Your email address',
  sendLink: 'Send the link',
  mailedTitle: 'Look into your mail',
};

const joining = {
  title: (name: string) => `Join ${name}`,
  address: (email: string) => `Your address is ${email}.`,
  yourName: 'Your name',
  password: 'Choose a password',
  action: 'Join',
  linkHint: 'We send you a link by which you go on.',
  terms: (link: string) => `I accept the ${link}.`,
  termsLink: 'terms of service',
  mailed: (email: string) => `We have sent a link to ${email}. Open it to make your account; it holds for a day.`,
  readyTitle: 'Welcome',
  ready: (email: string, url: string) => `Your account is ready. Sign in as ${email} at ${url}.`,
  advice:
    'Invitations end after some time, and an account is made of each only once. Ask whoever invited you for another one, or sign in if you have an account.',
};

const newPassword = {
  askTitle: (name: string) => `A new password for ${name}`,
  askHint: 'We send you a link by which you set a new password.',
  mailed: (email: string) =>
    `If ${email} has an account here, we have sent a link to it. Open it to set a new password; it holds for a day.`,
  title: 'Choose a new password',
  account: (name: string, email: string) => `Your account on ${name} has the address ${email}.`,
  label: 'New password',
  action: 'Set the password',
  doneTitle: 'Your password is set',
  done: (email: string) => `The password of ${email} is set. All browsers were signed out.`,
};

const newAddress = {
  title: 'Is this your new email address?',
  question: (name: string, email: string) => `Your account on ${name} will have the address ${email}.`,
  action: 'Confirm the new address',
  doneTitle: 'Your email address has changed',
  done: (name: string, email: string) => `Your account on ${name} has the address ${email} now.`,
};

/** Links that end mails. `name` is the organization's, `address` the recipient's. */
const mailLinks = {
  kinds: {
    missed_messages: 'mails about messages that you missed',
    digest: 'digests of what happened while you were away',
    sign_in: 'mails about sign-ins to your account',
    marketing: 'news about this service',
  },
  endTitle: 'No more such mails?',
  end: (kind: string, name: string, address: string) => `${address} gets ${kind} from ${name}.`,
  endAction: 'Send me no more of them',
  endedTitle: 'No more such mails',
  ended: (kind: string, name: string, address: string) => `${address} no longer gets ${kind} from ${name}.`,
  again: 'Your notification settings have them again at any time.',
  settings: 'Notification settings',
  resumeTitle: 'Is this address right?',
  resume: (name: string, address: string) => `Mails from ${name} to ${address} did not arrive, so no more are sent.`,
  resumeAction: 'It is right: send mails again',
  resumedTitle: 'Mails are sent again',
  resumed: (name: string, address: string) => `${address} gets mails from ${name}.`,
};

/** Errors as pages; what was refused is in `refusals`. */
const errors = {
  title: 'That did not work',
  start: 'Go to the start page',
  noPageTitle: 'There is no such page',
  noPage: 'Check its address for typing errors.',
  noMethodTitle: 'That cannot be done here',
  noMethod: 'This address takes no such request.',
  deactivatedRealmTitle: 'This organization is deactivated',
  deactivatedRealm: 'Nobody can sign in to it, and nothing in it can be read or sent. What was written is kept.',
  reactivateRealm:
    'If you still need it, ask an administrator of the organization: the operators of this server can reactivate it.',
  deactivatedUserTitle: 'Your account is deactivated',
  deactivatedUser: 'You cannot sign in with it. Your messages are kept.',
  reactivateUser: 'If you still need it, ask an administrator of the organization, who can reactivate it.',
  noRealmTitle: 'There is no organization at this address',
  noRealm: 'Check the address for typing errors.',
  signedOutTitle: 'You are not signed in',
  signedOut: 'This page is for people with an account.',
  tooManyTitle: 'Too many requests',
  tooMany: (seconds: string) => `Wait ${seconds} seconds, then load the page again.`,
  notReadyTitle: 'The server is not ready',
  notReady: 'Wait a few seconds, then load the page again.',
  faultTitle: 'Something went wrong',
  fault: 'The fault is the server’s. Try again later.',
  faultNumber: (id: string) =>
    `If it happens again, tell the operators of this server the number of this request: ${id}`,
};

export const pages = { signIn, outside, choice, common, joining, newPassword, newAddress, mailLinks, errors };

export type PageTexts = typeof pages;
