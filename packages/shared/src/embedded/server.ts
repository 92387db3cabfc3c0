/** A server that this process started, and that ends with it. */
export interface EmbeddedServer {
  url: string;
  /** Of the server's process; for tests that kill or pause it. */
  pid: number;
  /** Resolves with how the server ended, wanted or not. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Holds the server's data. */
  directory: string;
  /** False: gives up durability for speed and removes the data at the end. For tests. */
  isPersistent: boolean;
  /** Of 127.0.0.1; a free one unless given. */
  port?: number | undefined;
  /** Hears the server's own log. */
  onOutput?: ((text: string) => void) | undefined;
}
