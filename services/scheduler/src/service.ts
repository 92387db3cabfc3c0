import path from 'node:path';
import { type DueJobs, type DueJobsDefinition, startDueJobs } from '@parley/shared/jobs';
import { createOutsideHttp } from '@parley/shared/outside-http';
import { confirmWith, connectRpc } from '@parley/shared/rpc';
import { type DatabaseService, databaseService, type Overrides, tlsFilesOf } from '@parley/shared/service';
import { ARCHIVE } from './archive/archive.sql';
import type { Config } from './config';
import type { Context } from './context';
import { planDigestsPeriodically } from './digests/plan-digests';
import { syncDirectoriesPeriodically } from './directories/sync-directories';
import { listen } from './listeners';
import { mailDelivery } from './mails/send-mails';
import { missedMailJobs } from './missed-mails/due-mails';
import { createPushCarriers } from './push/create-carriers';
import { pushJobs } from './push/deliver-pushes';
import { reminderJobs } from './reminders/reminders';
import { runRetentionPeriodically } from './retention/retention';
import { CONFIRMED_WITHIN, implementation } from './rpc';
import { scheduledMessageJobs } from './scheduled-messages/deliver-scheduled-messages';
import { measureDeliveries, webhookJobs } from './webhooks/deliver-call';

/** The SQL migrations; tests clone databases from a template made of them. */
export const MIGRATIONS = path.resolve(__dirname, '../migrations');

/** Creates a scheduler service, not yet started; used by main.ts and by dev-env. */
export function create(config: Config, overrides: Overrides = {}): DatabaseService {
  return databaseService({
    name: 'scheduler',
    migrations: MIGRATIONS,
    archive: ARCHIVE,
    config,
    overrides,
    wire(base, onStop) {
      const { services, stopWaiting } = connectServices(config, onStop);
      const outside = createOutsideHttp({ allow: config.OUTGOING_ALLOW });
      const pushCarriers = createPushCarriers(config, { outside, clock: base.clock });
      const peers = { ...base, services, outside, pushCarriers };
      const start = (definition: DueJobsDefinition): DueJobs => {
        const jobs = startDueJobs(base, definition);
        onStop(() => jobs.stop());
        return jobs;
      };
      const stopMeasuring = measureDeliveries(base.db);
      onStop(async () => stopMeasuring());
      const ctx: Context = { ...peers, dueJobs: startJobs(peers, start) };
      const mails = mailDelivery(peers);
      mails.start();
      onStop(() => mails.stop());
      const digests = planDigestsPeriodically(peers);
      onStop(() => digests.stop());
      onStop(listen(ctx));
      const retention = runRetentionPeriodically(peers);
      onStop(() => retention.stop());
      const syncs = syncDirectoriesPeriodically(peers);
      onStop(() => syncs.stop());
      onStop(stopWaiting);
      return { implementation: implementation(ctx), confirmation: confirmWith(services.realm, CONFIRMED_WITHIN) };
    },
  });
}

type OnStop = (close: () => Promise<void>) => void;

function connectServices(config: Config, onStop: OnStop): { services: Context['services']; stopWaiting: () => void } {
  const tls = tlsFilesOf(config);
  const realm = connectRpc('realm', config.REALM_ADDRESS, tls);
  onStop(async () => realm.close());
  const messages = connectRpc('messages', config.MESSAGES_ADDRESS, tls);
  onStop(async () => messages.close());
  const invites = connectRpc('invites', config.INVITES_ADDRESS, tls);
  onStop(async () => invites.close());
  return {
    services: { realm: realm.client, messages: messages.client, invites: invites.client },
    stopWaiting() {
      for (const connection of [realm, messages, invites]) connection.stopWaiting();
    },
  };
}

/** The runners of each kind of jobs. */
function startJobs(peers: Omit<Context, 'dueJobs'>, start: (definition: DueJobsDefinition) => DueJobs) {
  const webhooks: DueJobs = start(webhookJobs(peers, () => webhooks.wake()));
  const pushes: DueJobs = start(pushJobs(peers, () => pushes.wake()));
  return {
    webhooks,
    pushes,
    scheduledMessages: start(scheduledMessageJobs(peers)),
    reminders: start(reminderJobs(peers)),
    missedMails: start(missedMailJobs(peers)),
  };
}
