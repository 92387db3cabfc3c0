import { PublicError } from '@parley/shared/errors';
import { Deferred } from './deferred';
import { AUTHENTICATION_ERRORS, COMMON_ERRORS, type Endpoint, PreparedResult, Redirect } from './endpoint';
import { JsonPieces } from './json-pieces';

/** An endpoint's handler that checks its declaration: an undeclared result or error code is a bug. For tests. */
export function checkedHandler(endpoint: Endpoint): Endpoint['handler'] {
  const { method, path, result: schema } = endpoint;
  const declared = new Set<string>([...COMMON_ERRORS, ...AUTHENTICATION_ERRORS, ...endpoint.errors]);

  function checked<Result extends Outcome>(result: Result): Result {
    if (!(result instanceof Redirect))
      schema.parse(result instanceof PreparedResult ? membersOf(result) : parsed(result));
    return result;
  }

  function declaredOnly(error: unknown): unknown {
    const isUndeclared = error instanceof PublicError && !declared.has(error.code);
    return isUndeclared ? new Error(`${method} ${path} does not declare ${error.code}`, { cause: error }) : error;
  }

  function checkedLater(deferred: Deferred<PreparedResult>): Deferred<PreparedResult> {
    return new Deferred((deliver) =>
      deferred
        .map(checked)
        .start((outcome) => deliver(outcome instanceof Error ? (declaredOnly(outcome) as Error) : outcome)),
    );
  }

  return async (ctx, request, values) => {
    try {
      const result = await endpoint.handler(ctx, request, values);
      return result instanceof Deferred ? checkedLater(result) : checked(result);
    } catch (error) {
      throw declaredOnly(error);
    }
  };
}

type Outcome = PreparedResult | Redirect | Record<string, unknown>;

function membersOf({ name, json, rest }: PreparedResult): Record<string, unknown> {
  return { ...rest, [name]: JSON.parse(Buffer.from(json).toString()) };
}

function parsed(result: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(result);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value instanceof JsonPieces ? value.parse() : value]),
  );
}
