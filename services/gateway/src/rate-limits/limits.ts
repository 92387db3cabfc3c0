/** All buckets, with the setting for the number of requests per minute. */
export const LIMITS = {
  /** All requests of an account. */
  accounts: 'ACCOUNT_REQUESTS_PER_MINUTE',
  /** Requests without credentials, or with wrong ones, by address. */
  addresses: 'ADDRESS_REQUESTS_PER_MINUTE',
  /** Requests with wrong credentials only: requests without credentials do not lock users out. */
  wrongCredentials: 'ADDRESS_REQUESTS_PER_MINUTE',
  // Costly requests have an additional bucket, of the account, or else of the address.
  searches: 'SEARCHES_PER_MINUTE',
  registrations: 'REGISTRATIONS_PER_MINUTE',
  uploads: 'UPLOADS_PER_MINUTE',
  /** Parts of uploads. */
  uploadParts: 'UPLOAD_PARTS_PER_MINUTE',
  /** Files and their thumbnails. */
  downloads: 'DOWNLOADS_PER_MINUTE',
  /** Polls with `dont_block`. */
  polls: 'POLLS_PER_MINUTE',
  signIns: 'SIGN_INS_PER_MINUTE',
  /** Requests of identity providers, by address. */
  provisioning: 'SCIM_REQUESTS_PER_MINUTE',
  /** Mails that come in, by the address that they were sent to. */
  mails: 'MAILS_PER_MINUTE',
} as const;

export type LimitName = keyof typeof LIMITS;

/** The additional limit of an endpoint's requests. */
export type OwnLimit = Exclude<LimitName, 'accounts' | 'addresses' | 'wrongCredentials' | 'mails'>;

export const LIMIT_NAMES = Object.keys(LIMITS) as LimitName[];
