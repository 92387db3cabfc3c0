export * from './ensure-program';
export * from './free-port';
export * from './nats';
export * from './postgres';
export { type EmbeddedServer, type ServerOptions, startGuarded } from './server-process';
