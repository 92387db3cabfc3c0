/** Every bucket there is, and the setting that says how many requests a minute it has room for. */
export const LIMITS = {
  /** Whatever an account asks for. */
  accounts: 'ACCOUNT_REQUESTS_PER_MINUTE',
  /** Requests without credentials, or with wrong ones, by address. */
  addresses: 'ADDRESS_REQUESTS_PER_MINUTE',
  /** Requests with wrong credentials only: visitors without credentials lock no one out. */
  wrongCredentials: 'ADDRESS_REQUESTS_PER_MINUTE',
  // Expensive requests have an additional bucket: of the account, or without one of the address.
  searches: 'SEARCHES_PER_MINUTE',
  registrations: 'REGISTRATIONS_PER_MINUTE',
  uploads: 'UPLOADS_PER_MINUTE',
  /** Parts of uploads. */
  uploadParts: 'UPLOAD_PARTS_PER_MINUTE',
  /** Files and their thumbnails. */
  downloads: 'DOWNLOADS_PER_MINUTE',
  /** Polls that do not wait. */
  polls: 'POLLS_PER_MINUTE',
  signIns: 'SIGN_INS_PER_MINUTE',
} as const;

export type LimitName = keyof typeof LIMITS;

/** The additional limit that an endpoint's requests count towards. */
export type OwnLimit = Exclude<LimitName, 'accounts' | 'addresses' | 'wrongCredentials'>;

export const LIMIT_NAMES = Object.keys(LIMITS) as LimitName[];
