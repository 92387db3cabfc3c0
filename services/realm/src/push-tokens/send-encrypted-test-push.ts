import { NoActivePushDeviceError } from '@parley/shared/errors';
import type { SendEncryptedTestPushResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { loadActor } from '../actors/load-actor';
import type { Context } from '../context';
import { requirePerson } from '../guards';

/** Nobody's device is registered for encrypted notifications, see registerPushDevice(). */
export async function sendEncryptedTestPush(ctx: Context, caller: Caller): Promise<SendEncryptedTestPushResponse> {
  requirePerson((await loadActor(ctx.db, caller, ctx.clock.now())).user);
  throw new NoActivePushDeviceError();
}
