import type { CreateUserRequest } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { ROLES } from '@parley/shared/values';
import type { CommandOf, Options } from './command';

/** Makes an account in an organization: a person's, or with --bot-type a bot's. */
export const userCreate: CommandOf<'realm'> = {
  service: 'realm',
  about: 'makes an account in an organization',
  required: { realm: 'SUBDOMAIN', email: 'EMAIL', name: 'NAME' },
  optional: {
    role: String(ROLES.member),
    password: 'PASSWORD',
    'bot-type': '1|2|3|4',
    'bot-owner': 'EMAIL',
    'payload-url': 'URL',
    interface: '1|2',
    'can-create-users': 'yes|no',
  },
  async run(realm, options) {
    const { userId, email, apiKey } = await realm.createUser(newCall(), {
      subdomain: options.text('realm'),
      email: options.text('email'),
      fullName: options.text('name'),
      role: options.optionalInteger('role') ?? ROLES.member,
      isWelcomed: true,
      ...withoutUndefined({
        password: options.optionalText('password'),
        mayCreateUsers: options.optionalDecision('can-create-users'),
        ...botOptions(options),
      }),
    });
    return { user_id: userId, email, api_key: apiKey };
  },
};

function botOptions(options: Options) {
  return {
    botType: options.optionalInteger('bot-type'),
    botOwnerEmail: options.optionalText('bot-owner'),
    payloadUrl: options.optionalText('payload-url'),
    interface: options.optionalInteger('interface'),
  };
}

function withoutUndefined(fields: { [K in keyof CreateUserRequest]?: CreateUserRequest[K] | undefined }) {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<CreateUserRequest>;
}
