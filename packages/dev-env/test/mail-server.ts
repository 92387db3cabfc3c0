import type { AddressInfo } from 'node:net';
import net from 'node:net';

/** Where the server falls silent: before it greets, or once it has the mail; null: nowhere. */
type Silence = 'greeting' | 'mail' | null;

/** As much of a mail server as it takes. */
export class MailServer {
  silence: Silence = null;
  readonly mails: string[] = [];
  /** Addresses that it does not know. */
  readonly refused = new Set<string>();
  readonly #server = net.createServer((socket) => this.#serve(socket));
  readonly #sockets = new Set<net.Socket>();
  #notice = () => {};

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `smtp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Resolves once it has had enough: of mails, of open connections. */
  async until(isEnough: (server: { mails: number; connections: number }) => boolean): Promise<void> {
    while (!isEnough({ mails: this.mails.length, connections: this.#sockets.size })) {
      await new Promise<void>((resolve) => {
        this.#notice = resolve;
      });
    }
  }

  #serve(socket: net.Socket): void {
    this.#sockets.add(socket);
    this.#notice();
    socket.setEncoding('utf8').on('error', () => {});
    socket.on('close', () => {
      this.#sockets.delete(socket);
      this.#notice();
    });
    if (this.silence === 'greeting') return;
    let said = '';
    let isMail = false;
    socket.write('220 here\r\n');
    socket.on('data', (text: string) => {
      said += text;
      if (isMail ? !said.endsWith('\r\n.\r\n') : !said.endsWith('\r\n')) return;
      if (isMail) this.mails.push(said);
      else if (/^quit/i.test(said)) socket.end('221 bye\r\n');
      const isSilent = isMail && this.silence === 'mail';
      const isRefused = !isMail && this.refused.has(/^rcpt to:<([^>]*)>/i.exec(said)?.[1] ?? '');
      isMail = !isMail && /^data/i.test(said);
      said = '';
      const answer = isRefused ? '550 no such user' : isMail ? '354 go on' : '250 fine';
      if (!isSilent && socket.writable) socket.write(`${answer}\r\n`);
      this.#notice();
    });
  }
}
