import { BadRequestError, InvalidPushDeviceTokenError, PushServiceNotConfiguredError } from '@parley/shared/errors';
import type { TestPushRequest, TestPushResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { type Note, type PushReader, textsFor } from './compose-note';
import { deleteDevice, listDevicesOf, type PushDevice } from './push-devices.sql';
import { findPushReader } from './push-reader';

/** Notifies one of the caller's devices, or all phones, and tells whether that worked. */
export async function testPush(
  ctx: Context,
  { realmId, userId }: Caller,
  { token }: TestPushRequest,
): Promise<TestPushResponse> {
  const all = await listDevicesOf(ctx.db, realmId, userId);
  const devices = all.filter((device) => (token === undefined ? device.kind !== 'web' : device.token === token));
  if (devices.length === 0 && token !== undefined) throw new InvalidPushDeviceTokenError();
  const carried = await Promise.all(devices.map((device) => send(ctx, device)));
  if (devices.length === 0 && !ctx.pushCarriers.fcm) throw new PushServiceNotConfiguredError();
  if (carried.includes('gone')) throw new InvalidPushDeviceTokenError();
  if (carried.some((kind) => kind !== 'sent')) {
    throw new BadRequestError('The push service did not take the notification. Try again later.');
  }
  return {};
}

async function send(ctx: Context, device: PushDevice): Promise<string> {
  const carrier = ctx.pushCarriers[device.kind];
  if (!carrier) throw new PushServiceNotConfiguredError();
  const reader = await findPushReader(ctx, device);
  const { kind } = reader ? await carrier(device, testNote(reader), reader.realmUrl) : { kind: 'gone' };
  if (kind === 'gone') await deleteDevice(ctx.db, device.realmId, device.id);
  return kind;
}

function testNote({ language, realmName }: PushReader): Note {
  const { test: body } = textsFor(language);
  return { type: 'show', tag: 'test', title: realmName, body, path: '/', lang: language, is_new: true, messages: [] };
}
