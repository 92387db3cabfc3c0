export interface Contract {
  /** By message and number: `SendMessageRequest 3` → `string topic`. */
  fields: Map<string, string>;
  /** Of these, optional ones, and deprecated ones. */
  optional: Set<string>;
  deprecated: Set<string>;
  /** Reserved numbers: `SendMessageRequest 4`. */
  reserved: Set<string>;
  /** `Realm.GetUser` → `GetUserRequest → User`. */
  calls: Map<string, string>;
}

const BLOCK = /\b(message|service) (\w+) \{([^{}]*)\}/g;
const ONE_OF = /\boneof \w+ \{([^{}]*)\}/g;
const IN_ONE_OF = /[\w.]+ \w+ = /g;
const FIELD = /(\boptional )?((?:repeated )?(?:map<[^>]+>|[\w.]+) \w+) = (\d+)\b( \[deprecated = true\])?/g;
const MAY_BE_EMPTY = /^(repeated |map<)/;
const RESERVED = /\breserved ([\d ,to]+);/g;
const CALL = /\brpc (\w+) ?\(([^)]*)\) returns \(([^)]*)\)/g;

/** Parses .proto files with the syntax used here: messages of fields, services of methods. Throws for anything else. */
export function readContract(texts: readonly string[]): Contract {
  const text = texts.map((each) => each.replace(/\/\/.*$/gm, '')).join('\n');
  const plain = text
    .replace(/\s+/g, ' ')
    .replace(ONE_OF, (_, fields: string) => fields.replace(IN_ONE_OF, 'optional $&'));
  const blocks = [...plain.matchAll(BLOCK)] as unknown as [string, string, string, string][];
  const rest = plain.replace(BLOCK, '').replace(/\b(syntax|package|import)\b[^;]*;/g, '');
  if (rest.trim() !== '') throw new Error(`not understood: ${rest.trim().slice(0, 200)}`);
  const contract: Contract = {
    fields: new Map(),
    optional: new Set(),
    deprecated: new Set(),
    reserved: new Set(),
    calls: new Map(),
  };
  for (const [, kind, name, body] of blocks) {
    if (kind === 'service') readCalls(contract, name, body);
    else readMessage(contract, name, body);
  }
  return contract;
}

function readCalls({ calls }: Contract, service: string, body: string): void {
  for (const [, name, request, response] of body.matchAll(CALL))
    calls.set(`${service}.${name}`, `${request} → ${response}`);
}

function readMessage(contract: Contract, message: string, body: string): void {
  const { fields, optional, deprecated, reserved } = contract;
  for (const [, isOptional, declaration, number, isDeprecated] of body.matchAll(FIELD)) {
    const key = `${message} ${number}`;
    if (fields.has(key)) throw new Error(`${key} is there twice`);
    fields.set(key, declaration as string);
    if (isOptional) optional.add(key);
    if (isDeprecated) deprecated.add(key);
  }
  for (const [, listed] of body.matchAll(RESERVED)) {
    for (const number of numbersIn(listed as string)) reserved.add(`${message} ${number}`);
  }
}

/** `2, 9 to 11` → 2, 9, 10, 11 */
function numbersIn(listed: string): number[] {
  return listed.split(',').flatMap((each) => {
    const [first, last = first] = each.split(' to ').map(Number) as [number, number?];
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

/** Changes that replicas of two versions would misunderstand; `isCalled` says whether the earlier version calls a method. */
export function protoFaults(earlier: Contract, now: Contract, isCalled: (call: string) => boolean): string[] {
  const messages = new Set([...now.fields.keys()].map(messageOf));
  const isKept = (key: string) => messages.has(messageOf(key));
  const changed = [...earlier.fields].filter(([key, was]) => now.fields.has(key) && now.fields.get(key) !== was);
  const forgotten = [...earlier.fields].filter(
    ([key]) => isKept(key) && !now.fields.has(key) && !now.reserved.has(key),
  );
  const missed = [...earlier.fields].filter(
    ([key]) => isKept(key) && now.reserved.has(key) && !earlier.deprecated.has(key),
  );
  const reused = [...earlier.reserved].filter((key) => now.fields.has(key) || (isKept(key) && !now.reserved.has(key)));
  const asked = requestsOf(earlier);
  const required = [...now.fields].filter(
    ([key, field]) =>
      asked.has(messageOf(key)) && !earlier.fields.has(key) && !now.optional.has(key) && !MAY_BE_EMPTY.test(field),
  );
  const calls = [...earlier.calls].filter(([call, was]) => now.calls.get(call) !== was && isCalled(call));
  return [
    ...changed.map(([key, was]) => `${key} was "${was}" and is "${now.fields.get(key)}"`),
    ...forgotten.map(([key, was]) => `${key} was "${was}": reserve the number`),
    ...missed.map(([key, was]) => `${key} was "${was}": say first that it is deprecated, it goes a version later`),
    ...reused.map((key) => `${key} is reserved`),
    ...required.map(([key, field]) => `${key} "${field}" is not in requests of before: let it be optional`),
    ...calls.map(([call, was]) => `${call} was ${was}, and is still called so`),
  ];
}

/** The request messages of a version, with the messages in them. */
function requestsOf(contract: Contract): Set<string> {
  const requests = [...contract.calls.values()].map((call) => call.replace(/^stream | → .*$/g, ''));
  return reach(contract, new Set(requests));
}

/** `SendMessageRequest 3` → `SendMessageRequest` */
export function messageOf(key: string): string {
  return key.slice(0, key.indexOf(' '));
}

/** These messages, and those in their fields. */
export function reach({ fields }: Contract, from: ReadonlySet<string>): Set<string> {
  const reached = new Set(from);
  for (const message of reached) {
    for (const [key, field] of fields) {
      if (messageOf(key) === message) for (const [word] of field.matchAll(/\b[A-Z]\w*/g)) reached.add(word);
    }
  }
  return reached;
}
