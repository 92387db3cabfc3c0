import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { clientDeviceAdded, clientDeviceRemoved } from '@parley/shared/events';
import { prismaTransaction } from '@parley/shared/prisma';
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
import type { Context, Tables } from '../context';

/** Uninstalled apps are not reported, so the oldest registrations are removed. */
export const MAX_DEVICES = 100;

/** Registers an app on the caller's phone and returns its id. */
export async function registerClientDevice(ctx: Context, caller: Caller): Promise<RegisterClientDeviceResponse> {
  const { realmId, userId } = caller;
  const nowMs = ctx.clock.now();
  requirePerson((await loadActor(ctx.db, caller, nowMs)).user);
  const deviceId = await prismaTransaction(ctx.db, ctx.prisma, async (tx, prisma) => {
    await lockUser(tx, realmId, userId);
    const { id } = await prisma.clientDevice.create({ data: { realmId, userId, registeredAt: new Date(nowMs) } });
    const removedIds = await removeOldest(prisma, realmId, userId);
    const removed = removedIds.map((removedId) => clientDeviceRemoved(realmId, { userId, deviceId: removedId }));
    await announce(tx, ...removed, clientDeviceAdded(realmId, { userId, deviceId: id }));
    return id;
  });
  return { deviceId };
}

/** Removes all but the user's newest devices; returns the removed ids. */
async function removeOldest(prisma: Tables, realmId: number, userId: number): Promise<number[]> {
  const oldest = await prisma.clientDevice.findMany({
    where: { realmId, userId },
    select: { id: true },
    orderBy: { id: 'desc' },
    skip: MAX_DEVICES,
  });
  const ids = oldest.map(({ id }) => id);
  if (ids.length > 0) await prisma.clientDevice.deleteMany({ where: { realmId, id: { in: ids } } });
  return ids;
}

/** Removes an app that was signed out. */
export async function removeClientDevice(
  ctx: Context,
  caller: Caller,
  { deviceId }: RemoveClientDeviceRequest,
): Promise<RemoveClientDeviceResponse> {
  const { realmId, userId } = caller;
  requirePerson((await loadActor(ctx.db, caller, ctx.clock.now())).user);
  await prismaTransaction(ctx.db, ctx.prisma, async (tx, prisma) => {
    const id = { in: possibleIds([deviceId]) };
    const { count } = await prisma.clientDevice.deleteMany({ where: { realmId, userId, id } });
    if (count === 0) throw new BadRequestError('Device does not exist');
    await announce(tx, clientDeviceRemoved(realmId, { userId, deviceId }));
  });
  return {};
}
