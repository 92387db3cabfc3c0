import { createHash } from 'node:crypto';
import {
  BadRequestError,
  InvalidPushDeviceTokenError,
  NoActivePushDeviceError,
  NothingToDoError,
  PushServiceNotConfiguredError,
} from '@parley/shared/errors';
import { prismaTransaction } from '@parley/shared/prisma';
import type {
  AddPushTokenRequest,
  AddPushTokenResponse,
  RegisterPushDeviceResponse,
  RemovePushTokenRequest,
  RemovePushTokenResponse,
  SendEncryptedTestPushResponse,
  SendTestPushRequest,
  SendTestPushResponse,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { lockUser } from '../accounts/users.sql';
import { loadActor } from '../actors/actor';
import { requirePerson } from '../base/guards';
import type { Context, Tables } from '../context';

/** Uninstalled apps are not reported, so the oldest registrations are removed. */
const MAX_TOKENS = 100;

/** Registers a phone of the caller; idempotent. */
export async function addPushToken(
  ctx: Context,
  caller: Caller,
  { kind, token, appId }: AddPushTokenRequest,
): Promise<AddPushTokenResponse> {
  const { realmId, userId } = caller;
  const nowMs = ctx.clock.now();
  requirePerson((await loadActor(ctx.db, caller, nowMs)).user);
  if (appId !== undefined) checkAppId(appId);
  checkPushToken(kind as PushTokenKind, token);
  await prismaTransaction(ctx.db, ctx.prisma, async (tx, prisma) => {
    await lockUser(tx, realmId, userId);
    const key = { realmId, userId, kind, tokenHash: hashPushToken(token) };
    const registration = { appId: appId ?? null, registeredAt: new Date(nowMs) };
    await prisma.pushToken.upsert({
      where: { realmId_userId_kind_tokenHash: key },
      create: { ...key, token, ...registration },
      update: registration,
    });
    await removeOldest(prisma, realmId, userId);
  });
  return {};
}

async function removeOldest(prisma: Tables, realmId: number, userId: number): Promise<void> {
  const oldest = await prisma.pushToken.findMany({
    where: { realmId, userId },
    select: { kind: true, tokenHash: true },
    orderBy: [{ registeredAt: 'desc' }, { kind: 'asc' }, { tokenHash: 'asc' }],
    skip: MAX_TOKENS,
  });
  if (oldest.length > 0) await prisma.pushToken.deleteMany({ where: { realmId, userId, OR: oldest } });
}

/** Removes a phone's registration. */
export async function removePushToken(
  ctx: Context,
  caller: Caller,
  { kind, token }: RemovePushTokenRequest,
): Promise<RemovePushTokenResponse> {
  const { realmId, userId } = caller;
  requirePerson((await loadActor(ctx.db, caller, ctx.clock.now())).user);
  checkPushToken(kind as PushTokenKind, token);
  const where = { realmId, userId, kind, tokenHash: hashPushToken(token) };
  const { count } = await ctx.prisma.pushToken.deleteMany({ where });
  if (count === 0) throw new NothingToDoError('Token does not exist');
  return {};
}

/** No service for encrypted notifications is configured: nothing is stored, as only such a service could read it. */
export async function registerPushDevice(ctx: Context, caller: Caller): Promise<RegisterPushDeviceResponse> {
  requirePerson((await loadActor(ctx.db, caller, ctx.clock.now())).user);
  throw new PushServiceNotConfiguredError();
}

/** Would send a test notification to one of the caller's phones, or all; always refused, as no push service is configured. */
export async function sendTestPush(
  ctx: Context,
  caller: Caller,
  { token }: SendTestPushRequest,
): Promise<SendTestPushResponse> {
  const { realmId, userId } = caller;
  requirePerson((await loadActor(ctx.db, caller, ctx.clock.now())).user);
  if (token !== undefined) {
    const where = { realmId, userId, tokenHash: hashPushToken(token) };
    if ((await ctx.prisma.pushToken.count({ where })) === 0) throw new InvalidPushDeviceTokenError();
  }
  throw new PushServiceNotConfiguredError();
}

/** No device is registered for encrypted notifications, see registerPushDevice(). */
export async function sendEncryptedTestPush(ctx: Context, caller: Caller): Promise<SendEncryptedTestPushResponse> {
  requirePerson((await loadActor(ctx.db, caller, ctx.clock.now())).user);
  throw new NoActivePushDeviceError();
}

type PushTokenKind = 'apns' | 'fcm';

const MAX_LENGTH = 4_096;
const MAX_APP_ID_LENGTH = 255;
const HEX = /^([0-9a-f]{2})+$/i;
const BASE64 = /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Refuses invalid tokens. SPEC-GAP: Apple's are bytes, in base64 from old clients and hexadecimal from newer ones; both are accepted. */
function checkPushToken(kind: PushTokenKind, token: string): void {
  if (token === '' || token.length > MAX_LENGTH) throw new BadRequestError('Empty or invalid length token');
  if (token.includes('\0')) throw new BadRequestError('Invalid characters in token');
  if (kind === 'apns' && !HEX.test(token) && !BASE64.test(token)) throw new BadRequestError('Invalid APNS token');
}

/** Refuses invalid names of apps. */
function checkAppId(appId: string): void {
  if (appId.length > MAX_APP_ID_LENGTH || !/^[.A-Za-z0-9-]+$/.test(appId)) throw new BadRequestError('Invalid app ID');
}

function hashPushToken(token: string): Buffer<ArrayBuffer> {
  return createHash('sha256').update(token).digest();
}
