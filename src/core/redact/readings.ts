// Decodes text in every notation that may hide a secret, such as JSON escapes and URL encoding.

/** A string with some notation decoded; `origins` maps each of its characters, and its end, back to the source. */
export interface Reading {
  readonly text: string;
  readonly origins: readonly number[] | null;
}

interface Notation {
  readonly pattern: RegExp;
  /** The characters that a match stands for, each with its offset in the match. */
  readonly read: (match: RegExpExecArray) => ReadonlyArray<readonly [characters: string, place: number]>;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

const notations: readonly Notation[] = [
  {
    // JSON, also as PHP writes it.
    pattern: /\\(?:u([\da-f]{4})|(["\\/bfnrt]))/gi,
    read: ([, unit, char = '']) => [
      [unit === undefined ? (controls[char] ?? char) : String.fromCharCode(Number.parseInt(unit, 16)), 0],
    ],
  },
  {
    // HTML: templates differ in whether they name or number a character.
    pattern: /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi,
    read: ([, hex, decimal, name = '']) => [
      [entities[name.toLowerCase()] ?? fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal)), 0],
    ],
  },
  {
    // URLs and forms: encoders differ in which characters they leave alone.
    pattern: /(?:%[\da-f]{2})+|\+/gi,
    read: ([encoded]) => (encoded === '+' ? [[' ', 0]] : readPercents(encoded)),
  },
];

/** Notations can be nested, such as JSON in a page; services go no deeper than two. */
const DEEPEST = 2;

/** A string as is, and with every notation decoded that may hide something. */
export function* readingsOf(text: string): Generator<Reading, void, undefined> {
  yield* undo({ text, origins: null }, DEEPEST);
}

function* undo(reading: Reading, depth: number): Generator<Reading, void, undefined> {
  yield reading;
  if (depth === 0) return;
  for (const notation of notations) {
    const inner = decode(reading, notation);
    if (inner !== null) yield* undo(inner, depth - 1);
  }
}

/** `null` when there is nothing to decode. */
function decode({ text, origins }: Reading, { pattern, read }: Notation): Reading | null {
  if (text.search(pattern) < 0) return null;
  const from: number[] = [];
  const originOf = (place: number) => origins?.[place] ?? place;
  let result = '';
  let end = 0;
  const keep = (until: number) => {
    for (let place = end; place < until; place += 1) from.push(originOf(place));
    result += text.slice(end, until);
  };
  for (const match of text.matchAll(pattern)) {
    keep(match.index);
    for (const [characters, place] of read(match)) {
      for (const _ of characters.split('')) from.push(originOf(match.index + place));
      result += characters;
    }
    end = match.index + match[0].length;
  }
  keep(text.length);
  from.push(originOf(text.length));
  return { text: result, origins: from };
}

/** Where a slice of a reading lies in the source. */
export function locate({ origins }: Reading, start: number, end: number): readonly [number, number] {
  return origins === null ? [start, end] : [origins[start] ?? 0, origins[end] ?? 0];
}

/** Keeps a byte order mark, which may be part of a password. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

function readPercents(encoded: string): [string, number][] {
  const bytes = Uint8Array.from(encoded.split('%').slice(1), (digits) => Number.parseInt(digits, 16));
  const characters: [string, number][] = [];
  for (let place = 0; place < bytes.length; ) {
    const length = lengthOfCharacter(bytes[place] ?? 0);
    const character = utf8.decode(bytes.slice(place, place + length));
    characters.push([character, place * '%00'.length]);
    place += length;
  }
  return characters;
}

/** Bytes of the UTF-8 character that starts with this one. */
function lengthOfCharacter(first: number): number {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}

function fromCodePoint(point: number): string {
  return point <= 0x10ffff ? String.fromCodePoint(point) : '\uFFFD';
}
