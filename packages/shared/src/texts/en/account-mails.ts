/** Mails about accounts. `name` and `url` are the organization's. */
export const accountMails = {
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
      `After that time, “Forgotten your password?” on the sign-in page sends you another link. If you do not know ${name} you need not do anything.`,
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
