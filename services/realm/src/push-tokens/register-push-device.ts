import { PushServiceNotConfiguredError } from '@parley/shared/errors';
import type { RegisterPushDeviceResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { loadActor } from '../actors/load-actor';
import type { Context } from '../context';
import { requirePerson } from '../guards';

/** Encrypted notifications go through a service that none is configured of: what it alone can read is not kept. */
export async function registerPushDevice(ctx: Context, caller: Caller): Promise<RegisterPushDeviceResponse> {
  requirePerson((await loadActor(ctx.db, caller, ctx.clock.now())).user);
  throw new PushServiceNotConfiguredError();
}
