import { assertAccepted, eg, Participant, Sender, type TestClient, type Traffic } from '@parley/dev-env';

/** Ranges of numbers sent while a user was not subscribed. */
export interface Absence {
  from: number;
  to: number;
}

/**
 * The private channel: its owner sends there all the time, a member is removed and subscribed again, an outsider must get
 * nothing.
 */
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

  /** The member must not get messages sent after this resolves. */
  async removeMember(): Promise<void> {
    await this.#change('DELETE', { subscriptions: JSON.stringify([eg.leads.name]) });
    this.absences.push({ from: this.sender.begun + 1, to: Number.POSITIVE_INFINITY });
  }

  async readmitMember(): Promise<void> {
    const absence = this.absences.at(-1);
    if (absence) absence.to = this.sender.accepted;
    await this.#change('POST', { subscriptions: JSON.stringify([{ name: eg.leads.name }]) });
  }

  /** Whether messages sent from now on have reached the owner and the member. */
  reachesBoth(): () => boolean {
    const wanted = this.sender.begun + 1;
    const ids = [this.account.userId, this.member.userId];
    const listeners = this.traffic.followers.filter(({ account }) => ids.includes(account.userId));
    return () => listeners.every(({ queues }) => (queues.at(-1)?.secrets.at(-1) ?? 0) >= wanted);
  }

  async #change(method: string, form: Record<string, string>): Promise<void> {
    const principals = JSON.stringify([this.member.userId]);
    const answer = await this.ask(method, 'users/me/subscriptions', { ...form, principals });
    if (answer) assertAccepted(answer);
  }
}
