import { type ErrorFields, PublicError } from './public-error';

/** Generic refusal: the text says what was wrong. */
export class BadRequestError extends PublicError {
  constructor(message: string, fields: ErrorFields = {}, httpStatus = 400) {
    super('BAD_REQUEST', httpStatus, message, fields);
  }
}

export class MissingParameterError extends PublicError {
  constructor(name: string) {
    super('REQUEST_VARIABLE_MISSING', 400, `Missing '${name}' argument`, { var_name: name });
  }
}

/** A parameter and its alias were both sent. */
export class ConfusingParameterError extends PublicError {
  constructor(name: string, alias: string) {
    super('REQUEST_CONFUSING_VAR', 400, `Can't decide between '${name}' and '${alias}' arguments`, {
      var_name1: name,
      var_name2: alias,
    });
  }
}

export class BadNarrowError extends PublicError {
  constructor(description: string) {
    super('BAD_NARROW', 400, `Invalid narrow operator: ${description}`, { desc: description });
  }
}

export class StreamDoesNotExistError extends PublicError {
  constructor(channel: { stream: string } | { stream_id: number }) {
    const text =
      'stream' in channel
        ? `Channel '${channel.stream}' does not exist`
        : `Channel with ID '${channel.stream_id}' does not exist`;
    super('STREAM_DOES_NOT_EXIST', 400, text, channel);
  }
}

export class BadEventQueueIdError extends PublicError {
  constructor(queueId: string) {
    super('BAD_EVENT_QUEUE_ID', 400, `Bad event queue ID: ${queueId}`, { queue_id: queueId });
  }
}

/** No, or no valid, credentials. `message` never tells which half of the pair was wrong. */
export class UnauthorizedError extends PublicError {
  constructor(message: string, code = 'UNAUTHORIZED') {
    super(code, 401, message);
  }
}

export class UserDeactivatedError extends UnauthorizedError {
  constructor() {
    super('Account is deactivated', 'USER_DEACTIVATED');
  }
}

export class RealmDeactivatedError extends UnauthorizedError {
  constructor() {
    super('This organization has been deactivated', 'REALM_DEACTIVATED');
  }
}

export class NonexistentSubdomainError extends PublicError {
  constructor() {
    super('NONEXISTENT_SUBDOMAIN', 404, 'Invalid subdomain');
  }
}

/** The caller is not what the operation demands, e.g. an administrator. */
export class UnauthorizedPrincipalError extends PublicError {
  constructor(message: string) {
    super('UNAUTHORIZED_PRINCIPAL', 400, message);
  }
}

/** A service that this request needs did not answer in time, or not at all. The client may try again. */
export class ServiceUnavailableError extends PublicError {
  constructor() {
    super('SERVER_NOT_READY', 503, 'The server is not ready; please try again');
  }
}
