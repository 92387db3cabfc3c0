import type { BaseContext } from '@parley/shared/service';
import type { Config } from './config';

/** Everything an action may use: the only wiring. */
export type Context = BaseContext<Config>;
