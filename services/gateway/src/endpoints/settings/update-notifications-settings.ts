import { endpoint } from '../../http/endpoint';
import { updateUserSettings } from './update-user-settings';

/** Deprecated name of PATCH /settings. */
export const updateNotificationsSettings = endpoint({ ...updateUserSettings, path: '/settings/notifications' });
