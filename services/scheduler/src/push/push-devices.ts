import { createECDH, createHash } from 'node:crypto';
import { BadRequestError, NothingToDoError, PushServiceNotConfiguredError } from '@parley/shared/errors';
import type {
  AddPushDeviceRequest,
  AddPushDeviceResponse,
  RemovePushDeviceRequest,
  RemovePushDeviceResponse,
  WebPushSubscriptions,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { PUSH_KINDS, type PushKind, pushedKinds } from './push';
import { deleteByToken, deleteExcessDevices, listDevicesOf, lockDevicesOf, putDevice } from './push-devices.sql';
import { vapidPublicKey } from './web-push';

/** Uninstalled apps are not reported, so the oldest registrations are removed. */
const MAX_PHONES = 100;
const MAX_BROWSERS = 20;
const PHONES: readonly PushKind[] = ['apns', 'fcm'];
const BROWSERS: readonly PushKind[] = ['web'];

/** Registers a phone or browser of the caller; idempotent. A browser belongs to the user who registered it last. */
export async function addPushDevice(
  ctx: Context,
  { realmId, userId }: Caller,
  request: AddPushDeviceRequest,
): Promise<AddPushDeviceResponse> {
  const kind = kindOf(request.kind);
  if (kind === 'web') checkSubscription(ctx, request);
  else checkPhone(kind, request);
  const { token, appId = null, p256dh = null, auth = null, apiKeyId } = request;
  const device = { realmId, userId, kind, token, tokenHash: hashToken(token), appId, p256dh, auth, apiKeyId };
  await ctx.db.transaction(async (tx) => {
    await lockDevicesOf(tx, realmId, userId);
    if (kind === 'web') await deleteByToken(tx, device, { exceptUserId: userId });
    await putDevice(tx, device, ctx.clock.now());
    if (kind === 'web') await deleteExcessDevices(tx, device, BROWSERS, MAX_BROWSERS);
    else await deleteExcessDevices(tx, device, PHONES, MAX_PHONES);
  });
  return {};
}

/** Ends the registration of a phone or browser of the caller. */
export async function removePushDevice(
  ctx: Context,
  { realmId, userId }: Caller,
  request: RemovePushDeviceRequest,
): Promise<RemovePushDeviceResponse> {
  const [kind, { token }] = [kindOf(request.kind), request];
  if (kind !== 'web') checkToken(kind, token);
  const count = await deleteByToken(ctx.db, { realmId, kind, tokenHash: hashToken(token) }, { userId });
  if (count === 0) throw new NothingToDoError('Token does not exist');
  return {};
}

/** The caller's browsers, and the key with which browsers subscribe; no key: notifications of browsers are switched off. */
export async function listWebPushSubscriptions(
  { db, config }: Context,
  { realmId, userId }: Caller,
): Promise<WebPushSubscriptions> {
  const devices = await listDevicesOf(db, realmId, userId);
  const browsers = devices.filter(({ kind }) => kind === 'web');
  return {
    ...(config.VAPID_PRIVATE_KEY && { applicationServerKey: vapidPublicKey(config.VAPID_PRIVATE_KEY) }),
    subscriptions: browsers.map(({ token, registeredAtMs }) => ({ endpoint: token, registeredAtMs })),
  };
}

function kindOf(text: string): PushKind {
  const kind = PUSH_KINDS.find((each) => each === text);
  if (!kind) throw new BadRequestError('Invalid kind of device');
  return kind;
}

const MAX_LENGTH = 4_096;
const MAX_APP_ID_LENGTH = 255;
const HEX = /^([0-9a-f]{2})+$/i;
const BASE64 = /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function checkPhone(kind: PushKind, { token, appId }: AddPushDeviceRequest): void {
  if (appId !== undefined && (appId.length > MAX_APP_ID_LENGTH || !/^[.A-Za-z0-9-]+$/.test(appId))) {
    throw new BadRequestError('Invalid app ID');
  }
  checkToken(kind, token);
}

/** SPEC-GAP: Apple's tokens are bytes, in base64 from old clients and hexadecimal from newer ones; both are accepted. */
function checkToken(kind: PushKind, token: string): void {
  if (token === '' || token.length > MAX_LENGTH) throw new BadRequestError('Empty or invalid length token');
  if (token.includes('\0')) throw new BadRequestError('Invalid characters in token');
  if (kind === 'apns' && !HEX.test(token) && !BASE64.test(token)) throw new BadRequestError('Invalid APNS token');
}

const MAX_ENDPOINT_LENGTH = 2_048;
/** An uncompressed point of P-256. */
const PUBLIC_KEY_BYTES = 65;
const SECRET_BYTES = 16;

/** The connection to the endpoint is checked, too, each time: see shared/outside-http. */
function checkSubscription({ config }: Context, { token: endpoint, p256dh, auth }: AddPushDeviceRequest): void {
  if (!pushedKinds(config).includes('web')) throw new PushServiceNotConfiguredError();
  if (endpoint.length > MAX_ENDPOINT_LENGTH || !URL.canParse(endpoint)) throw new BadRequestError('Invalid endpoint');
  const { protocol, hostname, username, password } = new URL(endpoint);
  const { OUTGOING_ALLOW: allow } = config;
  const isAllowed = allow.allowsHost(hostname) || allow.allowsAddress(hostname);
  const isPossible = protocol === 'https:' || (protocol === 'http:' && isAllowed);
  if (!isPossible || username !== '' || password !== '') throw new BadRequestError('Invalid endpoint');
  if (!isPublicKey(bytesOf(p256dh))) throw new BadRequestError('Invalid p256dh');
  if (bytesOf(auth).length !== SECRET_BYTES) throw new BadRequestError('Invalid auth');
}

function isPublicKey(key: Buffer): boolean {
  if (key.length !== PUBLIC_KEY_BYTES) return false;
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  try {
    // Fails unless it is a point of the curve.
    ecdh.computeSecret(key);
    return true;
  } catch {
    return false;
  }
}

function bytesOf(text = ''): Buffer {
  return /^[\w-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64url') : Buffer.alloc(0);
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
