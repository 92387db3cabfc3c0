import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface PollingClient {
  authorization: string;
  queueId: string;
}

export interface PollerOptions {
  address: string;
  client: PollingClient;
  /** Called with an answer with messages, after the next poll was sent. */
  onMessages(count: number, body: string): void;
  onFault(error: Error): void;
}

const MESSAGE = '"type":"message"';

/** A client that always has a pending poll. Its HTTP is minimal, to leave the CPU to the services. */
export class Poller {
  /** Its first poll has been sent. */
  readonly connected: Promise<unknown>;
  readonly #socket: Socket;
  #received = '';
  #lastEventId = -1;

  constructor(private readonly options: PollerOptions) {
    const [host, port] = options.address.split(':');
    this.#socket = connect({ host, port: Number(port), noDelay: true });
    // One character is one byte, as counted by Content-Length.
    this.#socket.setEncoding('latin1');
    this.connected = once(this.#socket, 'connect').then(() => this.#poll());
    this.#socket.on('data', (chunk: string) => this.#take(chunk));
    this.#socket.on('error', (error) => options.onFault(error));
  }

  #poll(): void {
    const { address, client } = this.options;
    this.#socket.write(
      `GET /api/v1/events?queue_id=${client.queueId}&last_event_id=${this.#lastEventId} HTTP/1.1\r\n` +
        `Host: ${address}\r\nAuthorization: ${client.authorization}\r\n` +
        'User-Agent: parley-bench/1.0\r\nAccept: */*\r\nAccept-Encoding: gzip, deflate\r\nConnection: keep-alive\r\n\r\n',
    );
  }

  #take(chunk: string): void {
    this.#received += chunk;
    const bodyAt = this.#received.indexOf('\r\n\r\n') + 4;
    if (bodyAt < 4) return;
    const [, length] = /\r\ncontent-length: (\d+)\r\n/i.exec(this.#received) ?? [];
    if (this.#received.length < bodyAt + Number(length)) return;
    const answer = this.#received;
    this.#received = '';
    this.#read(answer, answer.slice(bodyAt));
  }

  #read(answer: string, body: string): void {
    // An event's id is its last member, and events are the answer's last member.
    const eventId = Number.parseInt(body.slice(body.lastIndexOf('"id":') + 5), 10);
    if (!answer.startsWith('HTTP/1.1 200') || !(eventId > this.#lastEventId)) {
      this.options.onFault(new Error(`a poll behind ${this.#lastEventId} was answered with ${answer}`));
      return;
    }
    this.#lastEventId = eventId;
    this.#poll();
    this.options.onMessages(body.split(MESSAGE).length - 1, body);
  }
}
