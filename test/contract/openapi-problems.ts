import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { createDocument } from '../../scripts/openapi/document.ts';
import { operations } from '../../scripts/openapi/operations.ts';

const document = await createDocument(operations);

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
formats(ajv);
ajv.addVocabulary(['x-undocumented', 'x-extensible-enum', 'paths', 'components']);
// Its schemas are compiled one by one, by a pointer into it: the document around them is no schema.
ajv.addSchema(
  { $id: 'openapi.json', paths: document.paths, components: document.components },
  undefined,
  true,
  false,
);

const escaped = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** What the document finds wrong with a value at a place in it. */
export function problems(place: readonly string[], value: unknown): ErrorObject[] {
  const pointer = place.map((key) => `/${escaped(key)}`).join('');
  const validate = ajv.getSchema(`openapi.json#${encodeURI(pointer)}`);
  if (validate === undefined) throw new Error(`The document has nothing at ${pointer}.`);
  return validate(value) === true ? [] : [...(validate.errors ?? [])];
}

/** The path template of the document that a path below the base URL follows. */
export function templateOf(path: string): string {
  const [exact] = Object.keys(document.paths)
    .filter((template) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path))
    .sort((a, b) => Number(a.includes('{')) - Number(b.includes('{')));
  if (exact === undefined) throw new Error(`The document has no path for ${path}.`);
  return exact;
}

/** The response of the document that a status falls under. */
export function responseFor(method: string, path: string, status: number): string {
  const known = Object.keys(Object(document.paths[templateOf(path)]?.[method.toLowerCase()]).responses);
  const candidates = [String(status), `${Math.trunc(status / 100)}XX`, 'default'];
  const found = candidates.find((candidate) => known.includes(candidate));
  if (found === undefined) throw new Error(`The document has no response ${status} for ${method} ${path}.`);
  return found;
}

/** What is wrong with a response to a request. */
export function responseProblems(method: string, path: string, status: number, body: unknown): ErrorObject[] {
  const responses = ['paths', templateOf(path), method.toLowerCase(), 'responses'];
  const key = responseFor(method, path, status);
  const { $ref: shared } = Object(document.paths[templateOf(path)]?.[method.toLowerCase()]).responses[key];
  const place = shared === undefined ? [...responses, key] : shared.slice(2).split('/');
  return problems([...place, 'content', 'application/json', 'schema'], body);
}

/** What is wrong with a request's body. */
export function bodyProblems(method: string, path: string, body: unknown): ErrorObject[] {
  return problems(
    ['paths', templateOf(path), method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema'],
    body,
  );
}

/** What is wrong with a request's query, read as a service reads it: text that is a number counts as one. */
export function queryProblems(
  method: string,
  path: string,
  query: Readonly<Record<string, string>>,
): unknown[] {
  const { parameters = [] } = Object(document.paths[templateOf(path)]?.[method.toLowerCase()]);
  const described: { name: string; in: string; required: boolean }[] = parameters;
  return described.flatMap((parameter, index): unknown[] => {
    const value = query[parameter.name];
    if (parameter.in !== 'query') return [];
    if (value === undefined) return parameter.required ? [`${parameter.name} is missing`] : [];
    const place = ['paths', templateOf(path), method.toLowerCase(), 'parameters', String(index), 'schema'];
    return problems(place, /^\d+$/.test(value) ? Number(value) : value);
  });
}
