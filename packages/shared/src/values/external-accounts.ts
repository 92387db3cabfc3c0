export interface ExternalAccountKind {
  /** Of the service. */
  text: string;
  /** Of a profile field for such accounts. */
  name: string;
  hint: string;
  /** Where an account is found. */
  urlPattern: string;
}

/** What stands for the account in a URL pattern, once. */
export const USERNAME_PLACEHOLDER = '%(username)s';

/** Accounts elsewhere for which a profile field need not be described, by subtype; announced in POST /register. */
export const EXTERNAL_ACCOUNT_KINDS: Readonly<Record<string, ExternalAccountKind>> = {
  twitter: {
    text: 'Twitter',
    name: 'Twitter username',
    hint: '',
    urlPattern: `https://twitter.com/${USERNAME_PLACEHOLDER}`,
  },
  github: {
    text: 'GitHub',
    name: 'GitHub username',
    hint: '',
    urlPattern: `https://github.com/${USERNAME_PLACEHOLDER}`,
  },
};
