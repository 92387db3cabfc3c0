export * from './mail-in-addresses';
export * from './mail-in-settings';
