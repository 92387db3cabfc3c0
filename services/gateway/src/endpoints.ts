import * as operations from './endpoints/index';
import { type Endpoint, isEndpoint } from './http/endpoint';

/** The declarations from which a typed client derives, and how it encodes a request. */
export * from './endpoints/index';
export { type EncodedRequest, encodeRequest, type InputOf, type ResultOf } from './http/encode-request';
export type { Endpoint } from './http/endpoint';

/** Every operation of the API. */
export const endpoints: readonly Endpoint[] = Object.values<unknown>(operations).filter(isEndpoint);
