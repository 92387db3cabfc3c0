import path from 'node:path';
import type * as grpc from '@grpc/grpc-js';
import * as protoLoader from '@grpc/proto-loader';

export type ServiceName = 'realm' | 'messages' | 'invites' | 'events' | 'scheduler';

const PROTO_DIR = path.resolve(__dirname, '../../../../proto');

type Source = ServiceName | 'joined' | 'archive' | 'inspection';

const loaded = new Map<Source, protoLoader.PackageDefinition>();

/** All messages and services of `proto/<source>.proto`, loaded at run time, once, because parsing a large one takes long. */
export function loadDefinitions(source: Source): protoLoader.PackageDefinition {
  const definitions = loaded.get(source) ?? load(source);
  loaded.set(source, definitions);
  return definitions;
}

/** The service of `proto/<source>.proto`. */
export function loadService(source: Source): grpc.ServiceDefinition {
  const name = source[0]?.toUpperCase() + source.slice(1);
  return loadDefinitions(source)[`parley.v1.${name}`] as unknown as grpc.ServiceDefinition;
}

/** The options must match generate-proto-types.mjs. */
function load(source: Source): protoLoader.PackageDefinition {
  return protoLoader.loadSync(`${source}.proto`, {
    longs: Number,
    enums: String,
    defaults: true,
    includeDirs: [PROTO_DIR],
  });
}
