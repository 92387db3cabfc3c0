import type { Noun } from './command/command';
import { announceChannel, announceEverybody } from './nouns/announcements';
import { auditExport, auditList, auditVerify } from './nouns/audit';
import { auditFollow } from './nouns/audit-follow';
import { channelAdd, channelRemove } from './nouns/channel-members';
import { channelArchive, channelCreate, channelList, channelRestore, channelSet, channelShow } from './nouns/channels';
import { configCheck } from './nouns/config-check';
import { groupAdd, groupCreate, groupDeactivate, groupList, groupRemove, groupShow } from './nouns/groups';
import { inviteCreate, inviteList, inviteRevoke } from './nouns/invitations';
import { keyCreate, keyList, keyRevoke } from './nouns/keys';
import { mailTest } from './nouns/mail-test';
import { invitesMails, realmMails } from './nouns/mails';
import { messageDelete } from './nouns/message-delete';
import { messagesFill } from './nouns/messages-fill';
import { outboxRefill, outboxStatus } from './nouns/outbox';
import { queueEnd, queueList } from './nouns/queues';
import { quotaSet, quotaShow } from './nouns/quotas';
import { realmExport, realmImport } from './nouns/realm-archives';
import { realmCreate } from './nouns/realm-create';
import { realmFill } from './nouns/realm-fill';
import {
  realmDeactivate,
  realmList,
  realmPurge,
  realmReactivate,
  realmRename,
  realmSet,
  realmShow,
} from './nouns/realms';
import { supportBundle } from './nouns/support-bundle';
import { userCreate } from './nouns/user-create';
import { userErase } from './nouns/user-erase';
import { userExport } from './nouns/user-export';
import { userImport } from './nouns/user-import';
import { userPermit } from './nouns/user-permit';
import {
  userDeactivate,
  userEmail,
  userList,
  userPassword,
  userReactivate,
  userRename,
  userRole,
  userShow,
} from './nouns/users';
import { webhooksList, webhooksReplay, webhooksSecret } from './nouns/webhooks';

/** Every command: `<noun> <verb>`. */
export const NOUNS: Readonly<Record<string, Noun>> = {
  realm: {
    summary: 'organizations',
    verbs: {
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
    verbs: {
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
    verbs: {
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
  key: { summary: 'API keys', verbs: { create: keyCreate, list: keyList, revoke: keyRevoke } },
  audit: {
    summary: 'what was done by those who administer',
    verbs: { list: auditList, export: auditExport, follow: auditFollow, verify: auditVerify },
  },
  queue: { summary: 'event queues', verbs: { list: queueList, end: queueEnd } },
  outbox: {
    summary: 'changes that others are still to hear of',
    verbs: { status: outboxStatus, refill: outboxRefill },
  },
  group: {
    summary: 'user groups',
    verbs: {
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
    verbs: { create: inviteCreate, list: inviteList, revoke: inviteRevoke },
  },
  announce: {
    summary: 'what the notification bot is to say',
    verbs: { channel: announceChannel, everybody: announceEverybody },
  },
  quota: { summary: 'what uploaded files may take up', verbs: { show: quotaShow, set: quotaSet } },
  message: { summary: 'single messages', verbs: { delete: messageDelete } },
  config: { summary: 'how everything is set up', verbs: { check: configCheck } },
  support: { summary: 'what to send to whoever is to help', verbs: { bundle: supportBundle } },
  mail: { summary: 'the mail server', verbs: { test: mailTest } },
  messages: { summary: 'messages', verbs: { fill: messagesFill } },
  invites: { summary: 'invitations', verbs: { mails: invitesMails } },
  webhooks: {
    summary: 'calls of outgoing webhook bots',
    verbs: { list: webhooksList, replay: webhooksReplay, secret: webhooksSecret },
  },
};
