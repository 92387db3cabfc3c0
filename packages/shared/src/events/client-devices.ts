import { declareEvent } from './declare-event';

export interface ClientDeviceAdded {
  userId: number;
  deviceId: number;
}

/** A program on the user's phone was registered. Public event `device`, for that user. */
export const clientDeviceAdded = declareEvent<ClientDeviceAdded>()('client-device.added', [
  {
    type: 'device',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: ({ deviceId }) => ({ type: 'device', op: 'add', device_id: deviceId }),
  },
]);

export interface ClientDeviceRemoved {
  userId: number;
  deviceId: number;
}

/** A program on the user's phone was signed out or removed. Public event `device`, for that user. */
export const clientDeviceRemoved = declareEvent<ClientDeviceRemoved>()('client-device.removed', [
  {
    type: 'device',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: ({ deviceId }) => ({ type: 'device', op: 'remove', device_id: deviceId }),
  },
]);
