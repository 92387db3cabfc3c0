export { eg } from './cast/eg';
export type { EventQueue, PublicEvent } from './network/event-queue';
export type { RawAnswer, RawRequest, TestClient } from './network/test-client';
export { TestNetwork, type TestNetworkOptions } from './network/test-network';
