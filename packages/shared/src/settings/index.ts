// The declarations of settings without anything that needs Node: browsers make their forms of them.
export * from '../access';
export * from '../values/languages';
export * from '../values/realm-settings';
export * from '../values/user-settings';
