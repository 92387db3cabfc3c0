import { BadRequestError } from '@parley/shared/errors';
import type { CreateUserRequest } from '@parley/shared/proto';
import { BOT_TYPES, isWebUrl, ROLE_VALUES, WEBHOOK_INTERFACES } from '@parley/shared/values';
import { emailFromInput } from './email-address';
import { fullNameFromInput } from './full-name';
import { checkPassword } from './password';

const TYPES: readonly number[] = Object.values(BOT_TYPES);
const GENERIC_INTERFACE = 1;
const MAX_URL_LENGTH = 2_048;

export interface WantedUser {
  email: string;
  fullName: string;
  role: number;
  password: string | null;
  bot: { type: number; ownerEmail: string; service: { payloadUrl: string; interface: number } | null } | null;
}

/** The account that a request describes. */
export function userFromInput(request: CreateUserRequest): WantedUser {
  const fullName = fullNameFromInput(request.fullName);
  const email = emailFromInput(request.email);
  if (!(ROLE_VALUES as readonly number[]).includes(request.role)) throw new BadRequestError('Invalid role');
  if (request.password !== undefined) checkPassword(request.password);
  const bot = request.botType === undefined ? null : botFromInput(request.botType, request);
  if (bot === null && request.botOwnerEmail !== undefined) throw new BadRequestError('Only bots have an owner');
  return { email, fullName, role: request.role, password: request.password ?? null, bot };
}

function botFromInput(type: number, request: CreateUserRequest): WantedUser['bot'] {
  if (!TYPES.includes(type)) throw new BadRequestError('Invalid bot type');
  if (type === BOT_TYPES.embedded) throw new BadRequestError('Embedded bots are not enabled.');
  if (request.password !== undefined) throw new BadRequestError('Bots have no password');
  if (request.botOwnerEmail === undefined) throw new BadRequestError('A bot needs an owner');
  const service = type === BOT_TYPES.outgoingWebhook ? serviceFromInput(request) : null;
  return { type, ownerEmail: request.botOwnerEmail, service };
}

function serviceFromInput(request: CreateUserRequest) {
  const payloadUrl = request.payloadUrl ?? '';
  const interfaceType = request.interface ?? GENERIC_INTERFACE;
  if (payloadUrl.length > MAX_URL_LENGTH || !isWebUrl(payloadUrl))
    throw new BadRequestError('payload_url is not a URL');
  if (!WEBHOOK_INTERFACES.includes(interfaceType)) throw new BadRequestError('Invalid interface type');
  return { payloadUrl, interface: interfaceType };
}
