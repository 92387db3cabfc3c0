import type { Subject } from './command/command';
import { announceChannel, announceEverybody } from './commands/announcements';
import { realmExport, realmImport, userExport } from './commands/archives';
import { auditExport, auditList, auditVerify } from './commands/audit';
import { auditFollow } from './commands/audit-follow';
import {
  channelAdd,
  channelArchive,
  channelCreate,
  channelList,
  channelRemove,
  channelRestore,
  channelSet,
  channelShow,
} from './commands/channels';
import { configCheck } from './commands/config-check';
import { groupAdd, groupCreate, groupDeactivate, groupList, groupRemove, groupShow } from './commands/groups';
import { inviteCreate, inviteList, inviteRevoke } from './commands/invitations';
import { keyCreate, keyList, keyRevoke } from './commands/keys';
import { ldapRemove, ldapSet, ldapShow, ldapSync, ldapTest } from './commands/ldap';
import { invitesMails, mailTest, missedMails, realmMails } from './commands/mails';
import { messageDelete, messagesFill } from './commands/messages';
import { oidcAdd, oidcList, oidcRemove, oidcSet, oidcTest, oidcUnlink } from './commands/oidc';
import { outboxRefill, outboxStatus } from './commands/outbox';
import { pushKeys } from './commands/push';
import { queueEnd, queueList } from './commands/queues';
import { quotaSet, quotaShow } from './commands/quotas';
import {
  realmCreate,
  realmDeactivate,
  realmFill,
  realmList,
  realmPurge,
  realmReactivate,
  realmRename,
  realmSet,
  realmShow,
} from './commands/realms';
import { scimRole, scimTokenCreate, scimTokenList, scimTokenRevoke, scimTokenRotate } from './commands/scim';
import { supportBundle } from './commands/support-bundle';
import { userErase } from './commands/user-erase';
import { userImport } from './commands/user-import';
import {
  userCreate,
  userDeactivate,
  userEmail,
  userList,
  userPassword,
  userPermit,
  userReactivate,
  userRename,
  userRole,
  userShow,
} from './commands/users';
import { webhooksList, webhooksReplay, webhooksSecret } from './commands/webhooks';

/** Every command: `<subject> <action>`, as in `user create`. */
export const COMMANDS: Readonly<Record<string, Subject>> = {
  realm: {
    summary: 'organizations',
    actions: {
      create: realmCreate,
      list: realmList,
      show: realmShow,
      set: realmSet,
      rename: realmRename,
      deactivate: realmDeactivate,
      reactivate: realmReactivate,
      purge: realmPurge,
      mails: realmMails,
      export: realmExport,
      import: realmImport,
      fill: realmFill,
    },
  },
  user: {
    summary: 'accounts, people’s and bots’',
    actions: {
      create: userCreate,
      list: userList,
      show: userShow,
      role: userRole,
      rename: userRename,
      email: userEmail,
      import: userImport,
      export: userExport,
      erase: userErase,
      permit: userPermit,
      password: userPassword,
      deactivate: userDeactivate,
      reactivate: userReactivate,
    },
  },
  channel: {
    summary: 'channels',
    actions: {
      create: channelCreate,
      list: channelList,
      show: channelShow,
      set: channelSet,
      add: channelAdd,
      remove: channelRemove,
      archive: channelArchive,
      restore: channelRestore,
    },
  },
  key: { summary: 'API keys', actions: { create: keyCreate, list: keyList, revoke: keyRevoke } },
  scim: {
    summary: 'identity providers that keep accounts and groups by SCIM',
    actions: {
      'token create': scimTokenCreate,
      'token list': scimTokenList,
      'token rotate': scimTokenRotate,
      'token revoke': scimTokenRevoke,
      role: scimRole,
    },
  },
  audit: {
    summary: 'what administrators have done',
    actions: { list: auditList, export: auditExport, follow: auditFollow, verify: auditVerify },
  },
  queue: { summary: 'event queues', actions: { list: queueList, end: queueEnd } },
  outbox: {
    summary: 'changes that other services have not heard of yet',
    actions: { status: outboxStatus, refill: outboxRefill },
  },
  group: {
    summary: 'user groups',
    actions: {
      create: groupCreate,
      list: groupList,
      show: groupShow,
      add: groupAdd,
      remove: groupRemove,
      deactivate: groupDeactivate,
    },
  },
  invite: {
    summary: 'invitations and links to join',
    actions: { create: inviteCreate, list: inviteList, revoke: inviteRevoke },
  },
  oidc: {
    summary: 'providers through which people sign in (OpenID Connect)',
    actions: {
      add: oidcAdd,
      set: oidcSet,
      list: oidcList,
      remove: oidcRemove,
      test: oidcTest,
      unlink: oidcUnlink,
    },
  },
  ldap: {
    summary: 'LDAP directories with the passwords of people',
    actions: { set: ldapSet, show: ldapShow, test: ldapTest, sync: ldapSync, remove: ldapRemove },
  },
  announce: {
    summary: 'messages of the notification bot',
    actions: { channel: announceChannel, everybody: announceEverybody },
  },
  quota: { summary: 'how much uploaded files may take up', actions: { show: quotaShow, set: quotaSet } },
  message: { summary: 'single messages', actions: { delete: messageDelete } },
  config: { summary: 'settings and servers', actions: { check: configCheck } },
  support: { summary: 'a file for support', actions: { bundle: supportBundle } },
  mail: { summary: 'the mail server', actions: { test: mailTest, missed: missedMails } },
  push: { summary: 'notifications of browsers and phones', actions: { keys: pushKeys } },
  messages: { summary: 'messages', actions: { fill: messagesFill } },
  invites: { summary: 'invitations', actions: { mails: invitesMails } },
  webhooks: {
    summary: 'calls of outgoing webhook bots',
    actions: { list: webhooksList, replay: webhooksReplay, secret: webhooksSecret },
  },
};
