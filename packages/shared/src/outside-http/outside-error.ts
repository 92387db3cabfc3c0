export type OutsideFailure =
  /** No http or https address, or one with credentials in it. */
  | 'bad-url'
  /** It leads to where users must not reach. */
  | 'forbidden-address'
  | 'no-address'
  | 'no-connection'
  | 'timeout'
  | 'too-large'
  | 'too-many-redirects';

/** Why there was no answer. The message is fit for logs, not for users: it may name internal addresses. */
export class OutsideError extends Error {
  constructor(
    readonly reason: OutsideFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
