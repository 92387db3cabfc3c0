/** Extra members of an error answer, beside `code` and `msg`. */
export type ErrorFields = Record<string, unknown>;

/**
 * An error whose code and text a client may see. Thrown anywhere, it crosses gRPC in the trailer and is rendered only by
 * the gateway. Anything else that is thrown is a bug: status 500, logged, no detail to the client.
 */
export class PublicError extends Error {
  constructor(
    readonly code: string,
    readonly httpStatus: number,
    message: string,
    readonly fields: ErrorFields = {},
  ) {
    super(message);
    this.name = new.target.name;
  }
}
