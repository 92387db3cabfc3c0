export { confirmEmailChange } from './confirm-email-change';
export { runCommand } from './run-command';
export { updateDisplaySettings } from './update-display-settings';
export { updateNotificationsSettings } from './update-notifications-settings';
export { updateUserSettings } from './update-user-settings';
export { updateUserSettingsDefaults } from './update-user-settings-defaults';
