import path from 'node:path';
import * as grpc from '@grpc/grpc-js';
import * as protoLoader from '@grpc/proto-loader';

export type ServiceName = 'realm' | 'messages' | 'invites' | 'events' | 'scheduler';

const PROTO_DIR = path.resolve(__dirname, '../../../../proto');

/** The service of `proto/<service>.proto`, loaded at run time. The options must match generate-proto-types.mjs. */
export function loadService(service: ServiceName | 'joined'): grpc.ServiceDefinition {
  const definition = protoLoader.loadSync(`${service}.proto`, {
    longs: Number,
    enums: String,
    defaults: true,
    includeDirs: [PROTO_DIR],
  });
  const loaded = grpc.loadPackageDefinition(definition) as unknown as {
    parley: { v1: Record<string, grpc.ServiceClientConstructor> };
  };
  const name = service[0]?.toUpperCase() + service.slice(1);
  return (loaded.parley.v1[name] as grpc.ServiceClientConstructor).service;
}
