export * from './ensure-program';
export * from './free-port';
export * from './guarded-process';
export * from './nats';
export * from './nats-binary';
export * from './postgres';
export type { EmbeddedServer, ServerOptions } from './server';
