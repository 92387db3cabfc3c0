export * from './permission-settings';
export * from './system-group-labels';
