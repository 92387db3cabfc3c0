import { connect, createServer, type Server, type Socket } from 'node:net';

/** A connection to the broker that a test can delay. */
export class SlowWire {
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #isHeld = false;
  url = '';

  async start(brokerUrl: string): Promise<this> {
    const { hostname, port } = new URL(brokerUrl);
    this.#server = createServer((near) => this.#join(near, connect(Number(port), hostname)));
    await new Promise<void>((resolve) => this.#server?.listen(0, '127.0.0.1', resolve));
    this.url = `nats://127.0.0.1:${(this.#server.address() as { port: number }).port}`;
    return this;
  }

  /** Delays everything that the broker sends from now on until release(). */
  hold(): void {
    this.#isHeld = true;
    for (const far of this.#sockets) far.pause();
  }

  release(): void {
    this.#isHeld = false;
    for (const far of this.#sockets) far.resume();
  }

  stop(): void {
    this.#server?.close();
  }

  #join(near: Socket, far: Socket): void {
    this.#sockets.add(far);
    far.on('data', (data) => near.write(data));
    near.on('data', (data) => far.write(data));
    far.on('close', () => near.destroy());
    near.on('close', () => far.destroy());
    for (const socket of [near, far]) socket.on('error', () => {});
    if (this.#isHeld) far.pause();
  }
}
