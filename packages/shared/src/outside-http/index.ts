// Requests to addresses given by users: pages they link to, endpoints of their webhooks.

export { type AllowList, outgoingAllow, parseAllowList } from './allow-list';
export type { Resolve } from './checked-lookup';
export { OutsideError, type OutsideFailure } from './checked-lookup';
export {
  createOutsideHttp,
  type OutsideAnswer,
  type OutsideHttp,
  type OutsideHttpOptions,
  type OutsideRequest,
} from './outside-http';
