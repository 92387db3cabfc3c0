import type { JobKey } from '@parley/shared/jobs';
import type { Config } from '../config';

/** The kind of jobs that bring a device up to date; their ids are those of devices. */
export const JOB_KIND = 'push';

/** Who carries notifications to a device: Apple, Google, or the push service of a browser. */
export const PUSH_KINDS = ['apns', 'fcm', 'web'] as const;
export type PushKind = (typeof PUSH_KINDS)[number];

/** A message of which people are to be notified for the same reason. */
export interface NewPush {
  userIds: readonly number[];
  messageId: number;
  /** Undefined: a direct message. */
  channelId: number | undefined;
  /** The reason, for phones. */
  trigger: string;
}

/** The job of a device. */
export function pushJob(realmId: number, deviceId: number): JobKey {
  return { realmId, kind: JOB_KIND, id: deviceId };
}

type PushConfig = Pick<Config, 'VAPID_PRIVATE_KEY' | 'PUSH_GATEWAY_URL'>;

/** The kinds of devices that this server notifies: none unless it is switched on. */
export function pushedKinds({ VAPID_PRIVATE_KEY, PUSH_GATEWAY_URL }: PushConfig): PushKind[] {
  const phones: PushKind[] = PUSH_GATEWAY_URL === undefined ? [] : ['apns', 'fcm'];
  return VAPID_PRIVATE_KEY === undefined ? phones : [...phones, 'web'];
}
