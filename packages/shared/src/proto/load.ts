import path from 'node:path';
import type * as grpc from '@grpc/grpc-js';
import { configure, type IConversionOptions, type Method, Root, type Type, util } from 'protobufjs';

export type ServiceName = 'realm' | 'messages' | 'invites' | 'events' | 'scheduler';

const PROTO_DIR = path.resolve(__dirname, '../../../../proto');

export type Source = ServiceName | 'joined' | 'archive' | 'inspection';

/** These must match generate-proto-types.mjs. */
const FORM: IConversionOptions = { longs: Number, enums: String, defaults: true };

// Numbers stay far below 2^53. Otherwise each would become an object with two halves first, if some package has installed `long`.
Object.assign(util, { Long: null });
configure();

const roots = new Map<Source, Root>();
const services = new Map<Source, grpc.ServiceDefinition>();

/** All messages and services of `proto/<source>.proto`, loaded at run time, once, because parsing a large one takes long. */
export function loadRoot(source: Source): Root {
  const root = roots.get(source) ?? load(source);
  roots.set(source, root);
  return root;
}

/**
 * The service of `proto/<source>.proto`. gRPC's loader would also describe every message of every method, for reflection, which takes
 * as long as all the rest.
 */
export function loadService(source: Source): grpc.ServiceDefinition {
  const definition = services.get(source) ?? define(source);
  services.set(source, definition);
  return definition;
}

function load(source: Source): Root {
  const root = new Root();
  root.resolvePath = (_from, file) => path.resolve(PROTO_DIR, file);
  root.loadSync(`${source}.proto`).resolveAll();
  return root;
}

function define(source: Source): grpc.ServiceDefinition {
  const name = `parley.v1.${source[0]?.toUpperCase()}${source.slice(1)}`;
  const methods = loadRoot(source).lookupService(name).methodsArray;
  return Object.fromEntries(methods.map((method) => [method.name, methodOf(name, method)]));
}

function methodOf(service: string, method: Method): grpc.MethodDefinition<object, object> {
  const [request, response] = [method.resolvedRequestType as Type, method.resolvedResponseType as Type];
  return {
    path: `/${service}/${method.name}`,
    requestStream: method.requestStream === true,
    responseStream: method.responseStream === true,
    requestSerialize: serializerOf(request),
    requestDeserialize: deserializerOf(request),
    responseSerialize: serializerOf(response),
    responseDeserialize: deserializerOf(response),
    originalName: `${method.name[0]?.toLowerCase()}${method.name.slice(1)}`,
  };
}

/** NOTE: not by way of fromObject(), which copies the message in order to convert enums, of which there are none. */
function serializerOf(type: Type): (message: object) => Buffer {
  return (message) => type.encode(message as Record<string, unknown>).finish() as Buffer;
}

function deserializerOf(type: Type): (bytes: Buffer) => object {
  return (bytes) => type.toObject(type.decode(bytes), FORM);
}
