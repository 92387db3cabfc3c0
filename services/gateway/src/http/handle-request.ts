import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../context';
import { branded, isBranded } from '../wire/brands';
import { type Answer, redirect, success, successWith } from './answer';
import { answerRequest } from './answer-request';
import { checkedHandler } from './check-contract';
import { clientNameOf } from './client-name';
import { parameterDecoder } from './decode-parameters';
import { type Endpoint, PreparedResult, Redirect, type UserRequest } from './endpoint';
import type { Exchange } from './exchange';
import { identify } from './identify';
import { readForm } from './read-form';

export type PathParameters = Readonly<Record<string, string>>;
export type RequestHandler = (req: IncomingMessage, res: ServerResponse, path: PathParameters) => Promise<void>;

/**
 * An endpoint as something that answers bare HTTP requests: the one implementation behind express and the hot paths alike.
 * Credentials are checked first, then parameters, then the handler runs.
 */
export function handleRequest(ctx: Context, endpoint: Endpoint): RequestHandler {
  const { config, log } = ctx;
  const decode = parameterDecoder(endpoint.parameters, config.API_BRANDS);
  const handler = config.VALIDATE_RESULTS ? checkedHandler(endpoint) : endpoint.handler;
  const hasBrandedFields = isBranded(endpoint.result);

  async function answer(exchange: Exchange, path: PathParameters): Promise<Answer> {
    const reading = readForm(exchange.req, endpoint.maxUploadBytes);
    // Whoever is not let in gets to know that first; what was wrong with the form no longer matters then.
    reading.catch(() => {});
    if (endpoint.auth === 'user') await identify(ctx, exchange, endpoint.isOpenToWebhookBots);
    else exchange.subdomain = ctx.findSubdomain(exchange.header('host'));
    const { parameters, files } = await reading;
    exchange.clientName = clientNameOf(parameters.get('client'), exchange.header('user-agent'));
    exchange.files = files;
    const { values, ignored } = decode(parameters, path);
    const result = await handler(ctx, exchange as UserRequest, values);
    if (result instanceof Redirect) return redirect(result.location);
    const extra = ignored.length > 0 ? { ignored_parameters_unsupported: ignored } : {};
    if (result instanceof PreparedResult) return successWith(result.name, result.json, { ...result.rest, ...extra });
    return success({ ...(hasBrandedFields ? branded(result, config.API_BRANDS) : result), ...extra });
  }

  return (req, res, path) => answerRequest(log, req, res, (exchange) => answer(exchange, path));
}
