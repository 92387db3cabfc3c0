import path from 'node:path';
import { type DueJobs, type DueJobsDefinition, startDueJobs } from '@parley/shared/jobs';
import { createOutsideHttp } from '@parley/shared/outside-http';
import { confirmWith, connectRpc } from '@parley/shared/rpc';
import { type DatabaseService, databaseService, type Overrides, tlsFilesOf } from '@parley/shared/service';
import { ARCHIVE } from './archive/archive.sql';
import type { Config } from './config';
import type { Context } from './context';
import { syncDirectoriesPeriodically } from './directories/sync-directories';
import { listen } from './listeners';
import { missedMailJobs } from './missed-mails/due-mails';
import { mailDelivery } from './missed-mails/send-mails';
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
      const tls = tlsFilesOf(config);
      const realm = connectRpc('realm', config.REALM_ADDRESS, tls);
      onStop(async () => realm.close());
      const messages = connectRpc('messages', config.MESSAGES_ADDRESS, tls);
      onStop(async () => messages.close());
      const invites = connectRpc('invites', config.INVITES_ADDRESS, tls);
      onStop(async () => invites.close());
      const services = { realm: realm.client, messages: messages.client, invites: invites.client };
      const peers = { ...base, services, outside: createOutsideHttp({ allow: config.OUTGOING_ALLOW }) };
      const start = (definition: DueJobsDefinition): DueJobs => {
        const jobs = startDueJobs(base, definition);
        onStop(() => jobs.stop());
        return jobs;
      };
      const webhooks: DueJobs = start(webhookJobs(peers, () => webhooks.wake()));
      const stopMeasuring = measureDeliveries(base.db);
      onStop(async () => stopMeasuring());
      const [scheduledMessages, reminders] = [start(scheduledMessageJobs(peers)), start(reminderJobs(peers))];
      const missedMails = start(missedMailJobs(peers));
      const ctx: Context = { ...peers, dueJobs: { scheduledMessages, reminders, webhooks, missedMails } };
      const mails = mailDelivery(peers);
      mails.start();
      onStop(() => mails.stop());
      onStop(listen(ctx));
      const retention = runRetentionPeriodically(peers);
      onStop(() => retention.stop());
      const syncs = syncDirectoriesPeriodically(peers);
      onStop(() => syncs.stop());
      return { implementation: implementation(ctx), confirmation: confirmWith(realm.client, CONFIRMED_WITHIN) };
    },
  });
}
