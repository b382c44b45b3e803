// Writes values as Node's console does, so that a page prints what the documents show.

const custom = Symbol.for('nodejs.util.inspect.custom');
const deepest = 2;
const lineLength = 72;

/** The arguments of a call of `console.log`, as one text. */
export function format(values: readonly unknown[]): string {
  return values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' ');
}

function inspect(value: unknown, above: readonly object[] = []): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return `[${/^class\b/.test(`${value}`) ? 'class' : 'Function'} ${value.name || '(anonymous)'}]`;
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : String(value);
  if (above.includes(value)) return '[Circular *1]';
  const own = (value as { readonly [custom]?: unknown })[custom];
  if (typeof own === 'function') {
    const written: unknown = own.call(value, deepest - above.length, {}, inspect);
    return typeof written === 'string' ? written : inspect(written, above);
  }
  if (value instanceof Date) return value.toISOString();
  if (value instanceof RegExp) return String(value);
  const name = value.constructor?.name ?? '[Object: null prototype]';
  if (above.length > deepest) return Array.isArray(value) ? '[Array]' : `[${name}]`;
  const inner = (part: unknown) => inspect(part, [...above, value]);
  const fields = Reflect.ownKeys(value)
    .filter((key) => Object.prototype.propertyIsEnumerable.call(value, key))
    .filter((key) => !(isList(value) && /^\d+$/.test(String(key))))
    .map((key) => `${nameOf(key)}: ${inner(Reflect.get(value, key))}`);
  if (value instanceof Error) return fields.length > 0 ? lay(`${value} `, '{', fields, '}') : String(value);
  if (isList(value)) {
    const isPlain = Array.isArray(value);
    return lay(isPlain ? '' : `${name}(${value.length}) `, '[', [...Array.from(value, inner), ...fields], ']');
  }
  if (value instanceof Map) {
    return lay(`Map(${value.size}) `, '{', [...value].map(([key, held]) => `${inner(key)} => ${inner(held)}`), '}');
  }
  if (value instanceof Set) return lay(`Set(${value.size}) `, '{', [...value].map(inner), '}');
  return lay(name === 'Object' ? '' : `${name} `, '{', fields, '}');
}

const isList = (value: object): value is ArrayLike<unknown> => Array.isArray(value) || (ArrayBuffer.isView(value) && 'length' in value);

function lay(prefix: string, open: string, parts: readonly string[], close: string): string {
  if (parts.length === 0) return `${prefix}${open}${close}`;
  const line = parts.join(', ');
  if (line.length + prefix.length <= lineLength && !line.includes('\n')) return `${prefix}${open} ${line} ${close}`;
  return `${prefix}${open}\n  ${parts.join(',\n').replaceAll('\n', '\n  ')}\n${close}`;
}

function nameOf(key: string | symbol): string {
  if (typeof key === 'symbol') return `[${String(key)}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key);
}

function quote(text: string): string {
  const mark = ["'", '"', '`'].find((each) => !text.includes(each)) ?? "'";
  return `${mark}${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll(mark, `\\${mark}`)}${mark}`;
}
