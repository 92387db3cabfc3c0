/** Why a directory could not be used. */
export type DirectoryFault =
  | 'unreachable'
  | 'tls'
  /** It refuses the service account. */
  | 'credentials'
  /** It refuses a request, or answers nonsense. */
  | 'refused'
  /** It answers more than is possible. */
  | 'too-much';

/** A directory that cannot be used; the text is for the operator. */
export class DirectoryError extends Error {
  constructor(
    readonly fault: DirectoryFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'DirectoryError';
  }
}
