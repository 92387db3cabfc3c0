import { Slices } from '@parley/shared/batch';
import type { Database, Transaction } from '@parley/shared/db';
import { type Call, type Caller, type Implementation, OPERATOR_ADDRESS } from '@parley/shared/rpc';
import type { Context } from '../context';
import { findRealmBySubdomain, lockRealm } from '../organization/realms.sql';
import { ACTS, placeOf } from './acts';
import { appendActs, appendEntries, type Deed, type Effect } from './chain';
import { listMade, loadLastId, loadSnapshot, type MadeKind, type Snapshot, type SubjectKind } from './snapshot.sql';

type Handler = (call: Call | Caller, request: unknown) => Promise<unknown>;

/** The state before an act, and the subjects to compare after it. */
interface Watched {
  kind: SubjectKind;
  ids: readonly number[];
  before: Snapshot;
}

/**
 * Wraps the service's methods: administrative acts leave an entry in the audit log, in the transaction of their change. Acts that fail or
 * change nothing leave none.
 */
export function withAudit(ctx: Context, methodsOf: (ctx: Context) => Implementation<'realm'>): Implementation<'realm'> {
  const methods = methodsOf(ctx);
  const acts = Object.entries(ACTS).filter((entry): entry is [keyof typeof ACTS, Act<unknown>] => entry[1] !== null);
  const recorded = acts.map(([method, act]): [string, Handler] => [
    method,
    (call, request) => {
      const handle = (some: Implementation<'realm'>) => (some[method] as Handler)(call, request);
      if (act.concerns && !act.concerns(request)) return handle(methods);
      return perform(ctx, act, { method, call, request }, (db) => handle(methodsOf({ ...ctx, db })));
    },
  ]);
  return { ...methods, ...Object.fromEntries(recorded) };
}

interface Performance {
  method: string;
  call: Call | Caller;
  request: unknown;
}

/** An act without changes is recorded before its answer, so that every recipient of the answer is in the log. */
async function perform(
  ctx: Context,
  act: Act<unknown>,
  performance: Performance,
  handle: (db: Database) => Promise<unknown>,
): Promise<unknown> {
  if (!act.touches || act.changes) return handle(recordedDatabase(ctx, act, performance));
  const answer = await handle(ctx.db);
  await ctx.db.transaction(async (tx) => {
    const scene = await openScene(tx, performance);
    if (!scene) return;
    const effects = await touched(act, { ...scene, answer }, []);
    await appendEntries(ctx, tx, scene.realmId, deedOf(act, performance), effects);
  });
  return answer;
}

/**
 * The service's database, with the act observed in every transaction. Also for acts that record themselves, because only they find out whom they
 * concern.
 */
export function recordedDatabase(
  ctx: Pick<Context, 'db' | 'clock' | 'config'>,
  act: Act<unknown>,
  performance: Performance,
): Database {
  const transaction: Database['transaction'] = (work) =>
    ctx.db.transaction(async (tx) => {
      const former = await openScene(tx, performance);
      const before = former ? await watch(act, former) : [];
      const lastIds = new Map<MadeKind, number>();
      for (const kind of act.makes ?? []) lastIds.set(kind, former ? await loadLastId(tx, former.realmId, kind) : 0);
      const result = await work(tx);
      // The act may have created the organization.
      const scene = former ?? (await openScene(tx, performance));
      if (scene) {
        const effects = [...(await changed(act, scene, before)), ...(await made(scene, lastIds))];
        effects.push(...(await touched(act, scene, effects)));
        await appendEntries(ctx, tx, scene.realmId, deedOf(act, performance), effects);
      }
      return result;
    });
  return Object.create(ctx.db, { transaction: { value: transaction } }) as Database;
}

async function openScene(tx: Transaction, { call, request }: Performance): Promise<Scene<unknown> | null> {
  const place = placeOf(call, request);
  if (place === null) return null;
  if ('realmId' in place) return { tx, realmId: place.realmId, call, request };
  const realm = await findRealmBySubdomain(tx, place.subdomain);
  return realm && { tx, realmId: realm.id, call, request };
}

/** Locks the organization, so that concurrent administrators wait: the snapshot is taken before this act alone. */
async function watch({ changes = {} }: Act<unknown>, scene: Scene<unknown>): Promise<Watched[]> {
  const kinds = Object.entries(changes) as [SubjectKind, (scene: Scene<unknown>) => Promise<readonly number[]>][];
  if (kinds.length > 0) await lockRealm(scene.tx, scene.realmId);
  const all: Watched[] = [];
  for (const [kind, idsOf] of kinds) {
    const ids = await idsOf(scene);
    all.push({ kind, ids, before: await loadSnapshot(scene.tx, scene.realmId, kind, ids) });
  }
  return all;
}

async function changed({ changes }: Act<unknown>, scene: Scene<unknown>, before: Watched[]): Promise<Effect[]> {
  const { tx, realmId } = scene;
  const isNew = before.length === 0 && changes?.organization !== undefined;
  const all = isNew ? [{ kind: 'organization' as const, ids: [realmId], before: new Map() }] : before;
  const effects: Effect[] = [];
  for (const { kind, ids, before: former } of all) {
    effects.push(...(await compareSnapshots(kind, former, await loadSnapshot(tx, realmId, kind, ids))));
  }
  return effects;
}

async function made({ tx, realmId }: Scene<unknown>, lastIds: ReadonlyMap<MadeKind, number>): Promise<Effect[]> {
  const effects: Effect[] = [];
  for (const [kind, lastId] of lastIds) {
    const ids = await listMade(tx, realmId, kind, lastId);
    effects.push(...(await compareSnapshots(kind, new Map(), await loadSnapshot(tx, realmId, kind, ids))));
  }
  return effects;
}

/** Subjects recorded without changes; those with changes have effects already. */
async function touched(
  { touches }: Act<unknown>,
  scene: Scene<unknown>,
  effects: readonly Effect[],
): Promise<Effect[]> {
  if (!touches) return [];
  const { kind } = touches;
  const isRecorded = (id: number) => effects.some(({ subject }) => subject.kind === kind && subject.id === id);
  return (await touches.ids(scene)).filter((id) => !isRecorded(id)).map((id) => ({ subject: { kind, id } }));
}

function deedOf(act: Act<unknown>, { method, call }: Performance): Deed {
  const { requestId } = call;
  const name = act.name ?? method.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const isFromOutside = call.clientAddress !== undefined && call.clientAddress !== OPERATOR_ADDRESS;
  return { act: name, actor: actorOf(act, call), requestId, ...(isFromOutside && { address: call.clientAddress }) };
}

function actorOf({ isOperators }: Act<unknown>, call: Call | Caller): Deed['actor'] {
  if (isOperators) return { kind: 'operator' };
  if (call.clientAddress === OPERATOR_ADDRESS && 'userId' in call) return { kind: 'operator', id: call.userId };
  return 'userId' in call ? { kind: 'user', id: call.userId } : { kind: 'service' };
}

/** Records the changes of a user or group by an act that knows its subject itself; null: the act makes it. */
export async function recordChange<Result extends { id: number }>(
  ctx: Context,
  tx: Transaction,
  { realmId, kind, id, deed }: { realmId: number; kind: MadeKind; id: number | null; deed: Deed },
  change: () => Promise<Result>,
): Promise<Result> {
  const before = id === null ? new Map() : await loadSnapshot(tx, realmId, kind, [id]);
  const result = await change();
  const effects = await compareSnapshots(kind, before, await loadSnapshot(tx, realmId, kind, [result.id]));
  await appendEntries(ctx, tx, realmId, deed, effects);
  return result;
}

/** Records subjects that acts of their own have made in one transaction, in order. */
export async function recordMade(
  ctx: Context,
  tx: Transaction,
  { realmId, kind }: { realmId: number; kind: MadeKind },
  made: readonly { id: number; deed: Deed }[],
): Promise<void> {
  const ids = made.map(({ id }) => id);
  const effects = await compareSnapshots(kind, new Map(), await loadSnapshot(tx, realmId, kind, ids));
  const effectOf = new Map(effects.map((effect) => [effect.subject.id, effect]));
  const acts = made.map(({ id, deed }) => ({ deed, effect: effectOf.get(id) as Effect }));
  await appendActs(ctx, tx, realmId, acts);
}

const NOTHING: ReadonlyMap<string, unknown> = new Map();

/** The changed fields of each subject. */
async function compareSnapshots(kind: SubjectKind, before: Snapshot, after: Snapshot): Promise<Effect[]> {
  // A group has a field for each member. No deadline: the transaction has one.
  const slices = new Slices(Number.POSITIVE_INFINITY);
  const ids = [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => a - b);
  const effects: Effect[] = [];
  for (const id of ids) {
    const former = before.get(id) ?? NOTHING;
    const present = after.get(id) ?? NOTHING;
    const names: string[] = [];
    for (const name of new Set([...former.keys(), ...present.keys()])) {
      await slices.pause();
      if (!isSame(former.get(name), present.get(name))) names.push(name);
    }
    if (names.length === 0) continue;
    effects.push({ subject: { kind, id }, before: only(former, names), after: only(present, names) });
  }
  return effects;
}

function isSame(former: unknown, present: unknown): boolean {
  return former === present || JSON.stringify(former) === JSON.stringify(present);
}

function only(fields: ReadonlyMap<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => fields.has(name)).map((name) => [name, fields.get(name)]));
}

type Method = keyof Implementation<'realm'>;

export type RequestOf<M extends Method> = Parameters<Implementation<'realm'>[M]>[1];

/** Methods that only read. Those that reveal a secret, or may create one, are acts, too. */
type ReadMethod = Exclude<
  Extract<Method, `get${string}` | `list${string}` | `find${string}` | 'verifyAuditLog'>,
  'getWebhookSecret' | 'getBotApiKey' | 'listOwnBots'
>;

/** Methods that ACTS must classify. */
export type ActingMethod = Exclude<Method, ReadMethod>;

/** The request and the organization of an act. */
export interface Scene<Request> {
  tx: Transaction;
  realmId: number;
  call: Call | Caller;
  request: Request;
  /** Of acts without changes. */
  answer?: unknown;
}

type Ids<Request> = (scene: Scene<Request>) => readonly number[] | Promise<readonly number[]>;

/** An administrative act: the subjects to compare before and after it. */
export interface Act<Request> {
  /** Existing subjects that it may change. */
  changes?: Partial<Record<SubjectKind, Ids<Request>>>;
  /** Kinds of subjects that it may create. */
  makes?: readonly MadeKind[];
  /** Subjects recorded without changes: their secret is revealed, or the changes are too many to list. */
  touches?: { kind: SubjectKind; ids: Ids<Request> };
  /** Its name in the log; absent: the method's name. */
  name?: string;
  /** For the operator's command only. */
  isOperators?: true;
  /** Whether a request is such an act; absent: all are. */
  concerns?: (request: Request) => boolean;
}
