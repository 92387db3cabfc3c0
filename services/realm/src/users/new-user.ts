import { BadRequestError } from '@parley/shared/errors';
import type { CreateUserRequest } from '@parley/shared/proto';
import { ROLE_VALUES } from '@parley/shared/values';
import { emailFromInput } from './email-address';
import { fullNameFromInput } from './full-name';
import { checkPassword } from './password';

const GENERIC = 1;
const INCOMING_WEBHOOK = 2;
const OUTGOING_WEBHOOK = 3;
const EMBEDDED = 4;
const BOT_TYPES = [GENERIC, INCOMING_WEBHOOK, OUTGOING_WEBHOOK, EMBEDDED];
const INTERFACES = [1, 2];
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
  if (!BOT_TYPES.includes(type)) throw new BadRequestError('Invalid bot type');
  if (type === EMBEDDED) throw new BadRequestError('Embedded bots are not enabled.');
  if (request.password !== undefined) throw new BadRequestError('Bots have no password');
  if (request.botOwnerEmail === undefined) throw new BadRequestError('A bot needs an owner');
  const service = type === OUTGOING_WEBHOOK ? serviceFromInput(request) : null;
  return { type, ownerEmail: request.botOwnerEmail, service };
}

function serviceFromInput(request: CreateUserRequest) {
  const payloadUrl = request.payloadUrl ?? '';
  const interfaceType = request.interface ?? GENERIC;
  if (!isWebAddress(payloadUrl)) throw new BadRequestError('payload_url is not a URL');
  if (!INTERFACES.includes(interfaceType)) throw new BadRequestError('Invalid interface type');
  return { payloadUrl, interface: interfaceType };
}

function isWebAddress(text: string): boolean {
  return text.length <= MAX_URL_LENGTH && /^https?:\/\//i.test(text) && URL.canParse(text);
}
