import { connect, createServer, type Server, type Socket } from 'node:net';

const BREAK_MS = 1;

/** A connection to the broker that a test can hold up. */
export class SlowWire {
  /** How many there have been. */
  connections = 0;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #isHeld = false;
  #isNarrow = false;
  url = '';

  async start(brokerUrl: string): Promise<this> {
    const { hostname, port } = new URL(brokerUrl);
    this.#server = createServer((near) => this.#join(near, connect(Number(port), hostname)));
    await new Promise<void>((resolve) => this.#server?.listen(0, '127.0.0.1', resolve));
    this.url = `nats://127.0.0.1:${(this.#server.address() as { port: number }).port}`;
    return this;
  }

  /** What the broker says from now on arrives after release(). */
  hold(): void {
    this.#isHeld = true;
    for (const far of this.#sockets) far.pause();
  }

  release(): void {
    this.#isHeld = false;
    for (const far of this.#sockets) far.resume();
  }

  /** From now on what the broker says arrives piece by piece, and it has to wait meanwhile. */
  narrow(): void {
    this.#isNarrow = true;
  }

  stop(): void {
    this.#server?.close();
  }

  #join(near: Socket, far: Socket): void {
    this.connections += 1;
    this.#sockets.add(far);
    far.on('data', (data) => {
      near.write(data);
      if (this.#isNarrow) this.#takeBreak(far);
    });
    near.on('data', (data) => far.write(data));
    far.on('close', () => near.destroy());
    near.on('close', () => far.destroy());
    for (const socket of [near, far]) socket.on('error', () => {});
    if (this.#isHeld) far.pause();
  }

  #takeBreak(far: Socket): void {
    far.pause();
    setTimeout(() => {
      if (!this.#isHeld) far.resume();
    }, BREAK_MS);
  }
}
