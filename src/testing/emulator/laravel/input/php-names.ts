// Reads queries and form bodies as PHP does, with names such as `participants[0][email]`.

/** What a request brought: text of a form or a query, or the values of a JSON body. */
export type InputFields = Readonly<Record<string, unknown>>;

/** Deeper names are dropped, as PHP's `max_input_nesting_level` has it. */
const MAX_DEPTH = 64;

type Branch = Map<string, Branch | string>;

/** The fields of `a=1&b[]=2&c[d]=3`; of two with the same name, the last one. */
export function parseNames(text: string): InputFields {
  const root: Branch = new Map();
  for (const [name, value] of new URLSearchParams(text)) {
    const keys = keysOf(name);
    if (keys.length > 0 && keys.length <= MAX_DEPTH) put(root, keys, value);
  }
  return Object.fromEntries([...root].map(([name, value]) => [name, plain(value)]));
}

/** `a[b][]` is `a`, `b` and an empty key. Dots and spaces of the name become underscores. */
function keysOf(name: string): string[] {
  const [, head = '', rest = ''] = /^\s*([^[]*)((?:\[[^\]]*\])*)/.exec(name) ?? [];
  if (head === '') return [];
  return [head.replace(/[ .]/g, '_'), ...[...rest.matchAll(/\[([^\]]*)\]/g)].map(([, key = '']) => key)];
}

function put(branch: Branch, [first = '', ...rest]: readonly string[], value: string): void {
  const key = first === '' ? String(nextIndex(branch)) : first;
  if (rest.length === 0) {
    branch.set(key, value);
    return;
  }
  const there = branch.get(key);
  const inner: Branch = there instanceof Map ? there : new Map();
  branch.set(key, inner);
  put(inner, rest, value);
}

function nextIndex(branch: Branch): number {
  const indexes = [...branch.keys()].filter((key) => /^\d+$/.test(key)).map(Number);
  return indexes.length === 0 ? 0 : Math.max(...indexes) + 1;
}

/** A PHP array is a list where its keys are 0, 1, 2 and so on. */
function plain(value: Branch | string): unknown {
  if (typeof value === 'string') return value;
  const isList = [...value.keys()].every((key, index) => key === String(index));
  const entries = [...value].map(([key, inner]) => [key, plain(inner)] as const);
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}
