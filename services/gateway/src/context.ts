import type { Admission } from '@parley/shared/batch';
import type { RpcClient } from '@parley/shared/rpc';
import type { Logger } from '@parley/shared/service';
import type { Clock } from '@parley/shared/values';
import type { DataExports } from './archives/data-exports';
import type { Config } from './config';
import type { EventPods } from './event-pods/event-pods';
import type { Authenticate } from './http/authenticate';
import type { KnownCredentials } from './http/known-credentials';
import type { RateLimits } from './rate-limits/rate-limits';
import type { SharedState } from './shared-state/shared-state';
import type { Uploads } from './uploads/uploads';

/** Everything an endpoint may use: the only wiring. */
export interface Context {
  config: Config;
  log: Logger;
  clock: Clock;
  /** When this process began to serve, UNIX milliseconds. */
  startedAtMs: number;
  /** The organization that a Host header addresses, see subdomainFinder(). */
  findSubdomain: (host: string | undefined) => string;
  authenticate: Authenticate;
  knownCredentials: KnownCredentials;
  rateLimits: RateLimits;
  services: {
    realm: RpcClient<'realm'>;
    messages: RpcClient<'messages'>;
    invites: RpcClient<'invites'>;
    scheduler: RpcClient<'scheduler'>;
    events: RpcClient<'events'>;
  };
  eventPods: EventPods;
  sharedState: SharedState;
  /** For registrations: creating a queue and reading the state. */
  registrations: Admission;
  /** The same for visitors who are not signed in. */
  visitorRegistrations: Admission;
  uploads: Uploads;
  dataExports: DataExports;
}
