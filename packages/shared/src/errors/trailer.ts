import * as named from './errors';
import * as ofInvitations from './invitation-errors';
import * as ofMessages from './message-errors';
import { type ErrorFields, PublicError } from './public-error';

interface Wire {
  name: string;
  code: string;
  httpStatus: number;
  message: string;
  fields: ErrorFields;
}

const types = [...Object.values(named), ...Object.values(ofMessages), ...Object.values(ofInvitations)];
const prototypes = new Map<string, object>(types.map((type) => [type.name, type.prototype]));

/** A public error as bytes: the gRPC trailer `parley-error-bin`, and refused polls. */
export function encodeError(error: PublicError): Buffer {
  const { name, code, httpStatus, message, fields } = error;
  return Buffer.from(JSON.stringify({ name, code, httpStatus, message, fields } satisfies Wire));
}

/** The inverse of encodeError: an instance of the class that was thrown, so that `instanceof` holds across services. */
export function decodeError(bytes: Uint8Array): PublicError {
  const wire = JSON.parse(Buffer.from(bytes).toString()) as Wire;
  const error = new PublicError(wire.code, wire.httpStatus, wire.message, wire.fields);
  Object.setPrototypeOf(error, prototypes.get(wire.name) ?? PublicError.prototype);
  error.name = wire.name;
  return error;
}
