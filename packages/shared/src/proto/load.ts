import path from 'node:path';
import * as grpc from '@grpc/grpc-js';
import * as protoLoader from '@grpc/proto-loader';

export type ServiceName = 'realm' | 'messages' | 'invites' | 'events' | 'scheduler';

const PROTO_DIR = path.resolve(__dirname, '../../../../proto');

const loaded = new Map<string, grpc.ServiceDefinition>();

/** The service of `proto/<service>.proto`, loaded at run time: once, for the reading of a large one takes long. */
export function loadService(service: ServiceName | 'joined' | 'archive' | 'inspection'): grpc.ServiceDefinition {
  const definition = loaded.get(service) ?? load(service);
  loaded.set(service, definition);
  return definition;
}

/** The options must match generate-proto-types.mjs. */
function load(service: string): grpc.ServiceDefinition {
  const definition = protoLoader.loadSync(`${service}.proto`, {
    longs: Number,
    enums: String,
    defaults: true,
    includeDirs: [PROTO_DIR],
  });
  const { parley } = grpc.loadPackageDefinition(definition) as unknown as {
    parley: { v1: Record<string, grpc.ServiceClientConstructor> };
  };
  const name = service[0]?.toUpperCase() + service.slice(1);
  return (parley.v1[name] as grpc.ServiceClientConstructor).service;
}
