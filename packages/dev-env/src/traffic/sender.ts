import { setTimeout as sleep } from 'node:timers/promises';
import type { TestClient } from '../network/test-client';
import { assertAccepted, Participant } from './participant';
import type { Traffic } from './traffic';

/** The pause between a sender's messages. */
const PACE_MS = 100;

/** Sends messages with the numbers 1, 2, 3 …, each after the previous one was accepted. */
export class Sender extends Participant {
  begun = 0;
  accepted = 0;
  /** By number. */
  readonly messageIds = new Map<number, number>();

  constructor(
    traffic: Traffic,
    account: TestClient,
    first: number,
    /** The channel, and the word before the number: "number 7". */
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
