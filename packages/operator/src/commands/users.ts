import type { User } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { ROLES } from '@parley/shared/values';
import { command } from '../command/command';
import { as, operatedRealm, operatedUser } from '../command/operated';
import { decision, integer, oneOf, realm, text, withoutUndefined } from '../command/options';
import { timeOf } from '../command/present';

/** Creates an account in an organization: a person's, or with --bot-type a bot's. */
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
    'mail-link': decision().optional(),
  },
  examples: [
    "--realm acme --email bo@acme.org --name 'Bo'",
    "--realm acme --email bo@acme.org --name 'Bo' --mail-link yes",
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
        isPasswordLinkMailed: options['mail-link'],
        botType: options['bot-type'],
        botOwnerEmail: options['bot-owner'],
        payloadUrl: options['payload-url'],
        interface: options.interface,
      }),
    });
    return { user_id: userId, email, api_key: apiKey };
  },
});

const DEFAULT_LIMIT = 1_000;

const isOfKind = {
  all: () => true,
  people: ({ isBot }: User) => !isBot,
  bots: ({ isBot }: User) => isBot,
  deactivated: ({ isActive }: User) => !isActive,
};

export const userList = command({
  services: ['realm'],
  summary: 'lists accounts by id: the first thousand by default',
  options: {
    realm,
    kind: oneOf(['all', 'people', 'bots', 'deactivated']).optional(),
    limit: integer('N').optional(),
    as,
  },
  examples: ['--realm acme', '--realm acme --kind bots --limit 20'],
  async run({ realm: service }, { kind = 'all', limit = DEFAULT_LIMIT, ...named }) {
    const { actor } = await operatedRealm(service, named);
    const { users } = await service.listUsers(actor, { userIds: [], hasUserIds: false, includesProfiles: false });
    const chosen = users.filter(isOfKind[kind]);
    return { total: chosen.length, users: chosen.slice(0, limit).map(publicUser) };
  },
});

export const userShow = command({
  services: ['realm'],
  summary: 'shows an account, and since when its address refuses mails, if it does',
  options: { realm, email: text('EMAIL') },
  async run({ realm: service }, named) {
    const { user, mailBounce } = await operatedUser(service, named);
    const refused = mailBounce && {
      mails_refused_since: timeOf(mailBounce.bouncedAtMs),
      mails_refused_reason: mailBounce.reason,
    };
    return { ...publicUser(user), ...refused };
  },
});

function publicUser(user: User) {
  return {
    user_id: user.id,
    email: user.deliveryEmail || user.email,
    full_name: user.fullName,
    role: user.role,
    is_active: user.isActive,
    is_bot: user.isBot,
    ...withoutUndefined({ bot_type: user.botType, bot_owner_id: user.botOwnerId }),
    joined_at: timeOf(user.joinedAtMs),
  };
}

export const userDeactivate = command({
  services: ['realm'],
  summary: 'takes an account out of use: its keys and queues end; a comment is mailed to a person',
  options: { realm, email: text('EMAIL'), comment: text('TEXT').optional(), as },
  examples: ['--realm acme --email bo@acme.org'],
  async run({ realm: service }, { comment, ...named }) {
    const { user, actor } = await operatedUser(service, named);
    if (user.isBot) await service.deactivateBot(actor, { botId: user.id });
    else {
      await service.deactivateUser(actor, { userId: user.id, ...withoutUndefined({ notificationComment: comment }) });
    }
    return { user_id: user.id };
  },
});

export const userReactivate = command({
  services: ['realm'],
  summary: 'takes an account into use again',
  options: { realm, email: text('EMAIL'), as },
  async run({ realm: service }, named) {
    const { user, actor } = await operatedUser(service, named);
    await service.reactivateUser(actor, { userId: user.id });
    return { user_id: user.id };
  },
});

export const userRole = command({
  services: ['realm'],
  summary: 'changes a role: 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest',
  options: { realm, email: text('EMAIL'), role: integer('100|200|300|400|600'), as },
  examples: ['--realm acme --email bo@acme.org --role 200'],
  async run({ realm: service }, { role, ...named }) {
    const { user, actor } = await operatedUser(service, named);
    await service.updateUser(actor, { user: { id: user.id }, role, profileValues: [] });
    return { user_id: user.id, role };
  },
});

export const userRename = command({
  services: ['realm'],
  summary: 'gives an account another name',
  options: { realm, email: text('EMAIL'), name: text('NAME'), as },
  examples: ["--realm acme --email bo@acme.org --name 'Bo Berg'"],
  async run({ realm: service }, { name: fullName, ...named }) {
    const { user, actor } = await operatedUser(service, named);
    await service.updateUser(actor, { user: { id: user.id }, fullName, profileValues: [] });
    return { user_id: user.id };
  },
});

export const userEmail = command({
  services: ['realm'],
  summary: 'changes the address that a person signs in with, without a confirmation mail',
  options: { realm, email: text('EMAIL'), to: text('EMAIL') },
  examples: ['--realm acme --email bo@acme.org --to bo@acme-group.org'],
  async run({ realm: service }, { to: newEmail, ...named }) {
    const { user, actor } = await operatedUser(service, named);
    await service.updateUser(actor, { user: { id: user.id }, newEmail, profileValues: [] });
    return { user_id: user.id, email: newEmail };
  },
});

export const userPassword = command({
  services: ['realm'],
  summary: 'sets a new password for a person, a random one by default, and revokes all their keys but a new one',
  options: { realm, email: text('EMAIL'), password: text('PASSWORD').optional() },
  examples: ['--realm acme --email bo@acme.org'],
  async run({ realm: service }, { realm: subdomain, email, password: wanted }) {
    const request = { subdomain, email, ...withoutUndefined({ password: wanted }) };
    const { userId, password, apiKey } = await service.resetPassword(newCall(), request);
    return { user_id: userId, password, api_key: apiKey };
  },
});

/** Grants or revokes rights that no organization can grant: creating accounts, and changing others' addresses. */
export const userPermit = command({
  services: ['realm'],
  summary: 'lets an account make accounts, or change the addresses of others',
  options: {
    realm,
    email: text('EMAIL'),
    'can-create-users': decision().optional(),
    'can-change-emails': decision().optional(),
  },
  examples: ['--realm acme --email ada@acme.org --can-create-users yes'],
  async run({ realm: service }, { realm: subdomain, email, ...rights }) {
    if (Object.values(rights).every((right) => right === undefined))
      throw new Error('nothing to change: give --can-create-users or --can-change-emails');
    const { userId } = await service.permitUser(newCall(), {
      subdomain,
      email,
      ...withoutUndefined({
        mayCreateUsers: rights['can-create-users'],
        mayChangeEmails: rights['can-change-emails'],
      }),
    });
    return { user_id: userId };
  },
});
