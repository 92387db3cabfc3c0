import * as operations from './endpoints/index';
import { type Endpoint, isEndpoint } from './http/endpoint';

/** What a typed client of the API derives from: the declarations, and how a request is made from one. */
export * from './endpoints/index';
export { type EncodedRequest, encodeRequest, type InputOf, type ResultOf } from './http/encode-request';
export type { Endpoint } from './http/endpoint';

/** Every operation of the API. */
export const endpoints: readonly Endpoint[] = Object.values<unknown>(operations).filter(isEndpoint);
