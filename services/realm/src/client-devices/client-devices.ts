import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { clientDeviceAdded, clientDeviceRemoved } from '@parley/shared/events';
import type {
  RegisterClientDeviceResponse,
  RemoveClientDeviceRequest,
  RemoveClientDeviceResponse,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { lockUser } from '../accounts/users.sql';
import { loadActor } from '../actors/actor';
import { requirePerson } from '../base/guards';
import { possibleIds } from '../base/possible-values';
import type { Context } from '../context';
import { deleteClientDevice, insertClientDevice, removeOldestClientDevices } from './client-devices.sql';

/** Programs that are uninstalled say nothing: those registered longest ago make room. */
export const MAX_DEVICES = 100;

/** Gives a program on the caller's phone an id. */
export async function registerClientDevice(ctx: Context, caller: Caller): Promise<RegisterClientDeviceResponse> {
  const { realmId, userId } = caller;
  const nowMs = ctx.clock.now();
  requirePerson((await loadActor(ctx.db, caller, nowMs)).user);
  const deviceId = await ctx.db.transaction(async (tx) => {
    await lockUser(tx, realmId, userId);
    const id = await insertClientDevice(tx, realmId, userId, nowMs);
    const removedIds = await removeOldestClientDevices(tx, realmId, userId, MAX_DEVICES);
    for (const removedId of removedIds)
      await announce(tx, clientDeviceRemoved(realmId, { userId, deviceId: removedId }));
    await announce(tx, clientDeviceAdded(realmId, { userId, deviceId: id }));
    return id;
  });
  return { deviceId };
}

/** The program was signed out. */
export async function removeClientDevice(
  ctx: Context,
  caller: Caller,
  { deviceId }: RemoveClientDeviceRequest,
): Promise<RemoveClientDeviceResponse> {
  const { realmId, userId } = caller;
  requirePerson((await loadActor(ctx.db, caller, ctx.clock.now())).user);
  const [id] = possibleIds([deviceId]);
  await ctx.db.transaction(async (tx) => {
    const isRemoved = id !== undefined && (await deleteClientDevice(tx, realmId, userId, id));
    if (!isRemoved) throw new BadRequestError('Device does not exist');
    await announce(tx, clientDeviceRemoved(realmId, { userId, deviceId }));
  });
  return {};
}
