import { setTimeout as sleep } from 'node:timers/promises';
import type { TestClient } from '../network/test-client';
import { assertAccepted, Participant } from './participant';
import type { Traffic } from './traffic';

/** Between a sender's messages. */
const PACE_MS = 100;

/** Says its numbers one after the other; each once the last one was accepted. */
export class Sender extends Participant {
  begun = 0;
  accepted = 0;
  /** By number. */
  readonly messageIds = new Map<number, number>();

  constructor(
    traffic: Traffic,
    account: TestClient,
    first: number,
    /** To whom, and as what: "number 7". */
    private readonly to: { channel: string; word: string },
  ) {
    super(traffic, account, first);
  }

  async run(): Promise<void> {
    const { channel, word } = this.to;
    while (!this.traffic.isEnding) {
      this.begun += 1;
      const content = `${word} ${this.begun}`;
      const form = { type: 'channel', to: channel, topic: 'outages', content };
      const answer = await this.ask('POST', 'messages', form, content);
      if (answer === null) return;
      assertAccepted(answer);
      this.messageIds.set(this.begun, answer['id'] as number);
      this.accepted = this.begun;
      this.traffic.changed();
      await sleep(PACE_MS);
    }
  }
}
