import { PublicError } from '@parley/shared/errors';
import { AUTHENTICATION_ERRORS, COMMON_ERRORS, type Endpoint, PreparedResult, Redirect } from './endpoint';

/** An endpoint's handler held to its declaration: a result or an error code that it does not declare is a bug. For tests. */
export function checkedHandler(endpoint: Endpoint): Endpoint['handler'] {
  const { method, path, result: schema } = endpoint;
  const declared = new Set<string>([...COMMON_ERRORS, ...AUTHENTICATION_ERRORS, ...endpoint.errors]);
  return async (ctx, request, values) => {
    try {
      const result = await endpoint.handler(ctx, request, values);
      if (!(result instanceof Redirect)) schema.parse(result instanceof PreparedResult ? membersOf(result) : result);
      return result;
    } catch (error) {
      const isUndeclared = error instanceof PublicError && !declared.has(error.code);
      throw isUndeclared ? new Error(`${method} ${path} does not declare ${error.code}`, { cause: error }) : error;
    }
  };
}

function membersOf({ name, json, rest }: PreparedResult): Record<string, unknown> {
  return { ...rest, [name]: JSON.parse(Buffer.from(json).toString()) };
}
