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

/** The dependencies of endpoints. */
export interface Context {
  config: Config;
  log: Logger;
  clock: Clock;
  /** When this process was started, UNIX milliseconds. */
  startedAtMs: number;
  /** The organization of a Host header, see subdomainFinder(). */
  findSubdomain: (host: string | undefined) => string;
  authenticate: Authenticate;
  /** For polls that may wait for events. */
  authenticatePoll: Authenticate;
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
  /** Admission of registrations, which create a queue and read the state. */
  registrations: Admission;
  /** The same for visitors without an account. */
  visitorRegistrations: Admission;
  uploads: Uploads;
  dataExports: DataExports;
}
