import { newCall } from '@parley/shared/rpc';
import { ROLES } from '@parley/shared/values';
import { command } from '../command/command';
import { decision, integer, realm, text } from '../command/options';
import { withoutUndefined } from '../command/without-undefined';

/** Makes an account in an organization: a person's, or with --bot-type a bot's. */
export const userCreate = command({
  services: ['realm'],
  summary: 'makes an account in an organization',
  options: {
    realm,
    email: text('EMAIL'),
    name: text('NAME'),
    role: integer(String(ROLES.member)).optional(),
    password: text('PASSWORD').optional(),
    'bot-type': integer('1|2|3|4').optional(),
    'bot-owner': text('EMAIL').optional(),
    'payload-url': text('URL').optional(),
    interface: integer('1|2').optional(),
    'can-create-users': decision().optional(),
  },
  examples: [
    "--realm acme --email bo@acme.org --name 'Bo'",
    '--realm acme --email hook@acme.org --name Hook --bot-type 3 --bot-owner bo@acme.org --payload-url https://acme.org/ --interface 1',
  ],
  async run({ realm: service }, { realm: subdomain, email: address, name, role = ROLES.member, ...options }) {
    const { userId, email, apiKey } = await service.createUser(newCall(), {
      subdomain,
      email: address,
      fullName: name,
      role,
      isWelcomed: true,
      ...withoutUndefined({
        password: options.password,
        mayCreateUsers: options['can-create-users'],
        botType: options['bot-type'],
        botOwnerEmail: options['bot-owner'],
        payloadUrl: options['payload-url'],
        interface: options.interface,
      }),
    });
    return { user_id: userId, email, api_key: apiKey };
  },
});
