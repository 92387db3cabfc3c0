import { eg } from '../cast/eg';
import type { TestClient } from '../network/test-client';
import { assertAccepted, Participant } from './participant';
import { Sender } from './sender';
import type { Traffic } from './traffic';

/** Numbers that were said while somebody was no member. */
export interface Absence {
  from: number;
  to: number;
}

/** The private channel: its owner talks there all the time, a member is removed and admitted again, an outsider is never told. */
export class PrivateTalk extends Participant {
  readonly sender: Sender;
  readonly absences: Absence[] = [];

  constructor(
    traffic: Traffic,
    owner: TestClient,
    readonly member: TestClient,
  ) {
    super(traffic, owner, 0);
    this.sender = new Sender(traffic, owner, 1, { channel: eg.leads.name, word: 'secret' });
    traffic.add(this);
    traffic.add(this.sender);
  }

  /** What is begun once this is answered, the member must not hear. */
  async removeMember(): Promise<void> {
    await this.#change('DELETE', { subscriptions: JSON.stringify([eg.leads.name]) });
    this.absences.push({ from: this.sender.begun + 1, to: Number.POSITIVE_INFINITY });
  }

  async readmitMember(): Promise<void> {
    const absence = this.absences.at(-1);
    if (absence) absence.to = this.sender.accepted;
    await this.#change('POST', { subscriptions: JSON.stringify([{ name: eg.leads.name }]) });
  }

  /** What is begun from now on has reached the owner and the member. */
  reachesBoth(): () => boolean {
    const wanted = this.sender.begun + 1;
    const ids = [this.account.userId, this.member.userId];
    const listeners = this.traffic.followers.filter(({ account }) => ids.includes(account.userId));
    return () => listeners.every(({ stretches }) => (stretches.at(-1)?.secrets.at(-1) ?? 0) >= wanted);
  }

  async #change(method: string, form: Record<string, string>): Promise<void> {
    const principals = JSON.stringify([this.member.userId]);
    const answer = await this.ask(method, 'users/me/subscriptions', { ...form, principals });
    if (answer) assertAccepted(answer);
  }
}
