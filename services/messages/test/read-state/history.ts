import fc from 'fast-check';

/** Numbers are taken modulo the number of items. */
type Pick = number;

/** An act in an organization of three users, three channels and some topics. */
export type Happening =
  | {
      kind: 'send';
      sender: Pick;
      channel: Pick;
      topic: Pick;
      isReadBySender: boolean;
      mentions: Pick[];
      isWildcard: boolean;
    }
  | { kind: 'sendDirect'; sender: Pick; conversation: Pick; isReadBySender: boolean }
  | { kind: 'subscribe' | 'unsubscribe' | 'muteChannel' | 'unmuteChannel'; user: Pick; channel: Pick }
  | { kind: 'leaveAll'; user: Pick }
  | { kind: 'archive' | 'restore'; channel: Pick }
  | { kind: 'mute' | 'unmute'; user: Pick; other: Pick }
  | { kind: 'decideTopic'; user: Pick; channel: Pick; topic: Pick; policy: 0 | 1 | 2 | 3 }
  | { kind: 'flag'; user: Pick; messages: Pick[]; op: 'add' | 'remove'; flag: 'read' | 'starred' | 'collapsed' }
  | { kind: 'markAll'; user: Pick }
  | { kind: 'markChannel'; user: Pick; channel: Pick }
  | { kind: 'markTopic'; user: Pick; channel: Pick; topic: Pick }
  | {
      kind: 'markNarrow';
      user: Pick;
      terms: 0 | 1 | 2;
      channel: Pick;
      topic: Pick;
      anchor: Pick;
      before: number;
      after: number;
    }
  | { kind: 'move'; messages: Pick[]; channel: Pick; topic: Pick }
  | { kind: 'moveTopic'; from: Pick; channel: Pick; topic: Pick }
  | { kind: 'delete'; messages: Pick[] };

/** A test of random histories is worth nothing for an act that none of them contains. */
const EACH_KIND: Record<Happening['kind'], true> = {
  send: true,
  sendDirect: true,
  subscribe: true,
  unsubscribe: true,
  leaveAll: true,
  muteChannel: true,
  unmuteChannel: true,
  archive: true,
  restore: true,
  mute: true,
  unmute: true,
  decideTopic: true,
  flag: true,
  markAll: true,
  markChannel: true,
  markTopic: true,
  markNarrow: true,
  move: true,
  moveTopic: true,
  delete: true,
};
export const KINDS = Object.keys(EACH_KIND) as Happening['kind'][];

const pick = fc.nat(11);
const few = fc.array(pick, { minLength: 1, maxLength: 5 });
const place = { channel: pick, topic: pick };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      sender: pick,
      ...place,
      isReadBySender: fc.boolean(),
      mentions: fc.array(pick, { maxLength: 1 }),
      isWildcard: fc.nat(5).map((number) => number === 0),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('sendDirect' as const),
      sender: pick,
      conversation: pick,
      isReadBySender: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('subscribe' as const, 'unsubscribe' as const),
      user: pick,
      channel: pick,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leaveAll' as const), user: pick }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('muteChannel' as const, 'unmuteChannel' as const),
      user: pick,
      channel: pick,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('mute' as const, 'unmute' as const), user: pick, other: pick }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('decideTopic' as const),
      user: pick,
      ...place,
      policy: fc.constantFrom(0 as const, 1 as const, 2 as const, 3 as const),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('flag' as const),
      user: pick,
      messages: few,
      op: fc.constantFrom('add' as const, 'remove' as const),
      flag: fc.constantFrom(
        'read' as const,
        'read' as const,
        'read' as const,
        'starred' as const,
        'collapsed' as const,
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('markAll' as const), user: pick }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('markChannel' as const), user: pick, channel: pick }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('markTopic' as const), user: pick, ...place }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('markNarrow' as const),
      user: pick,
      // Everything, a channel or a topic.
      terms: fc.constantFrom(0 as const, 1 as const, 2 as const),
      ...place,
      anchor: pick,
      before: fc.nat(4),
      after: fc.nat(4),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('move' as const), messages: few, ...place }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('moveTopic' as const), from: pick, ...place }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), messages: few }) },
  {
    weight: 1,
    arbitrary: fc.record({
      // Archived channels accept no messages and no moves, so most are restored.
      kind: fc.constantFrom('archive' as const, 'restore' as const, 'restore' as const),
      channel: pick,
    }),
  },
);

export const histories = fc
  .array(happening, { minLength: 1, maxLength: 30, size: 'max' })
  .map((happenings): Happening[] => [...happenings]);
