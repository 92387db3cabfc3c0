import * as grpc from '@grpc/grpc-js';

const identity = (bytes: Buffer) => bytes;
const method = {
  path: '/bench.Echo/Echo',
  requestStream: false,
  responseStream: false,
  requestSerialize: identity,
  requestDeserialize: identity,
  responseSerialize: identity,
  responseDeserialize: identity,
};

const server = new grpc.Server({ 'grpc-node.flow_control_window': 8 * 1024 * 1024 });
const echo: grpc.handleUnaryCall<Buffer, Buffer> = (call, respond) => respond(null, call.request);
server.addService({ Echo: method }, { Echo: echo });
server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (_error, port) => {
  process.send?.({ started: `127.0.0.1:${port}` });
});
process.on('disconnect', () => process.exit(0));
