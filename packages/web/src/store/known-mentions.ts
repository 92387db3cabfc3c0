import type { PublicEvent } from '@parley/client-model/rules';

/** Messages that mention the person, as far as events tell: an edit that makes another one do so is news. */
export class KnownMentions {
  #ids = new Set<number>();

  /** Begins anew with the unread ones of a registration. */
  begin(messageIds: readonly number[]): void {
    this.#ids = new Set(messageIds);
  }

  /** Takes the next event; tells what it changes if it is an edit. */
  take(event: PublicEvent): 'added' | 'removed' | undefined {
    if (event.type === 'message' && areMention(event['flags'])) this.#ids.add((event['message'] as { id: number }).id);
    if (event.type === 'update_message_flags') this.#addUnread(event['message_details']);
    return event.type === 'update_message' && event['rendering_only'] !== true ? this.#takeEdit(event) : undefined;
  }

  #takeEdit({ message_id, flags }: PublicEvent): 'added' | 'removed' | undefined {
    const id = message_id as number;
    const was = this.#ids.has(id);
    const is = areMention(flags);
    if (is) this.#ids.add(id);
    else this.#ids.delete(id);
    return was === is ? undefined : is ? 'added' : 'removed';
  }

  /** What is marked as unread is told with what it is about. */
  #addUnread(details: unknown): void {
    for (const [id, detail] of Object.entries((details ?? {}) as Record<string, { mentioned?: boolean }>))
      if (detail.mentioned) this.#ids.add(Number(id));
  }
}

const areMention = (flags: unknown) => ((flags ?? []) as string[]).some((flag) => flag.includes('mentioned'));
