// Reads JSON bodies as PHP does, with PHP's sentences for what is wrong with them.

import { rejections } from '../../domain/rejection.ts';

/** The deepest nesting that PHP's `json_decode` reads. */
const MAX_DEPTH = 512;

/** @throws {Rejection} when the body is not JSON in UTF-8: 400 */
export function parseJson(bytes: ArrayBuffer): unknown {
  const text = decode(bytes);
  const value = parse(text);
  if (depthOf(value) > MAX_DEPTH) throw rejections.invalidJson('Maximum stack depth exceeded');
  if (hasLoneSurrogate(text))
    throw rejections.invalidJson('Single unpaired high surrogate in Unicode escape');
  return value;
}

function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw rejections.invalidJson('Malformed UTF-8 characters, possibly incorrectly encoded');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw rejections.invalidJson(
      hasControlCharacter(text) ? 'Control character error, possibly incorrectly encoded' : 'Syntax error',
    );
  }
}

/** Whether a string literal holds a character below U+0020 that is not escaped. */
function hasControlCharacter(text: string): boolean {
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"/gs)].some(([literal]) => [...literal].some((one) => one < ' '));
}

function hasLoneSurrogate(text: string): boolean {
  if (!/\\u[Dd][89A-Fa-f]/.test(text)) return false;
  let found = false;
  JSON.parse(text, (name: string, value: unknown) => {
    found ||= [name, value].some((one) => typeof one === 'string' && /\p{Cs}/u.test(one));
    return value;
  });
  return found;
}

/** How many lists and objects are inside each other. */
function depthOf(value: unknown): number {
  let depth = 0;
  const isContainer = (one: unknown) => typeof one === 'object' && one !== null;
  for (let level = [value].filter(isContainer); level.length > 0; depth += 1) {
    level = level.flatMap((one) => Object.values(Object(one)).filter(isContainer));
  }
  return depth;
}
