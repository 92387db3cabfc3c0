import { publicBot } from '@parley/shared/wire';
import { z } from 'zod';
import { botSchema } from '../bot';
import { bundle } from './bundle';

const botsBundle = bundle({
  type: 'realm_bot',
  fields: { realm_bots: z.array(botSchema).describe('Those that the caller manages, deactivated ones included.') },
  present: ({ bots }) => ({ realm_bots: bots.map(publicBot) }),
});

const embeddedBotsBundle = bundle({
  type: 'realm_embedded_bots',
  fields: { realm_embedded_bots: z.array(z.never()).describe('None run inside this server.') },
  present: () => ({ realm_embedded_bots: [] }),
});

const incomingWebhookBotsBundle = bundle({
  type: 'realm_incoming_webhook_bots',
  fields: { realm_incoming_webhook_bots: z.array(z.never()).describe('There are no integrations by name.') },
  present: () => ({ realm_incoming_webhook_bots: [] }),
});

const videoCallsBundle = bundle({
  type: 'video_calls',
  fields: { has_zoom_token: z.boolean().describe('Always false: Zoom is not configured.') },
  present: () => ({ has_zoom_token: false }),
});

const deviceSchema = z.strictObject({
  push_key_id: z.null(),
  push_token_id: z.null(),
  pending_push_token_id: z.null(),
  push_token_last_updated_timestamp: z.null(),
  push_registration_error_code: z.null(),
});

/** A device that has registered for no notifications. */
const UNREGISTERED: z.infer<typeof deviceSchema> = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
};

/** COMPAT(level 468): what `device` was called before. */
const pushDevicesBundle = bundle({
  type: 'push_device',
  fields: { push_devices: z.record(z.string(), z.never()).describe('Always empty: no service carries notifications.') },
  present: () => ({ push_devices: {} }),
});

const devicesBundle = bundle({
  type: 'device',
  fields: {
    devices: z.record(z.string(), deviceSchema).describe("The caller's, by id; no service carries notifications."),
  },
  present: (state) => ({
    devices: Object.fromEntries((state.personal?.clientDeviceIds ?? []).map((id) => [String(id), UNREGISTERED])),
  }),
});

/** Bots, and what the caller has connected with other services. */
export const botBundles = [
  botsBundle,
  embeddedBotsBundle,
  incomingWebhookBotsBundle,
  videoCallsBundle,
  pushDevicesBundle,
  devicesBundle,
];

/** All of their fields. */
export const botFields = {
  ...botsBundle.fields,
  ...embeddedBotsBundle.fields,
  ...incomingWebhookBotsBundle.fields,
  ...videoCallsBundle.fields,
  ...pushDevicesBundle.fields,
  ...devicesBundle.fields,
};
