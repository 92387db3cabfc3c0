import { declareEvent } from './declare-event';

export interface ClientDeviceAdded {
  userId: number;
  deviceId: number;
}

/** A program on a phone of the user has an id. Public event `device`, for that user. */
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

/** A program on a phone of the user is signed out, or made room. Public event `device`, for that user. */
export const clientDeviceRemoved = declareEvent<ClientDeviceRemoved>()('client-device.removed', [
  {
    type: 'device',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: ({ deviceId }) => ({ type: 'device', op: 'remove', device_id: deviceId }),
  },
]);
