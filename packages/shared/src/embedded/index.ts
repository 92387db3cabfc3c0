export * from './free-port';
export * from './nats';
export * from './postgres';
