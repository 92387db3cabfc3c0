import { deflateSync, inflateSync } from 'node:zlib';
import { truncate } from '../values';
import * as named from './errors';
import { type ErrorFields, PublicError } from './errors';
import * as ofInvitations from './invitation-errors';
import * as ofMessages from './message-errors';

interface Wire {
  name: string;
  code: string;
  httpStatus: number;
  message: string;
  fields: ErrorFields;
}

const types = [...Object.values(named), ...Object.values(ofMessages), ...Object.values(ofInvitations)];
const prototypes = new Map<string, object>(types.map((type) => [type.name, type.prototype]));

/** A header of 64 KiB (this in base64) would end the HTTP/2 connection with all its calls. */
const MAX_BYTES = 40_000;
/** Maximum length of a message that repeats input. */
const MAX_MESSAGE_LENGTH = 1_000;
const OPENING_BRACE = 0x7b;

/** A public error as bytes: the gRPC trailer `parley-error-bin`, and refused polls. Fields that are too large are omitted. */
export function encodeError(error: PublicError): Buffer {
  const { name, code, httpStatus, fields } = error;
  const message = truncate(error.message, MAX_MESSAGE_LENGTH, '…');
  const whole = bytesOf({ name, code, httpStatus, message, fields });
  if (whole.length <= MAX_BYTES) return whole;
  const packed = deflateSync(whole);
  return packed.length <= MAX_BYTES ? packed : bytesOf({ name, code, httpStatus, message, fields: {} });
}

/** The inverse of encodeError: an instance of the original class, so `instanceof` works across services. */
export function decodeError(bytes: Uint8Array): PublicError {
  const json = bytes[0] === OPENING_BRACE ? Buffer.from(bytes) : inflateSync(bytes);
  const wire = JSON.parse(json.toString()) as Wire;
  const error = new PublicError(wire.code, wire.httpStatus, wire.message, wire.fields);
  Object.setPrototypeOf(error, prototypes.get(wire.name) ?? PublicError.prototype);
  error.name = wire.name;
  return error;
}

function bytesOf(wire: Wire): Buffer {
  return Buffer.from(JSON.stringify(wire));
}
