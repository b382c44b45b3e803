import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { BadRequestError } from '../../src/index.ts';
import { operations as table } from '../../src/proxy/operations.ts';
import { failure } from '../helpers/client.ts';
import { type OperationCase, operations } from '../helpers/operations.ts';
import { allowedAs, apiKey, baseUrl, createProxied, everything, pageClient } from './helpers.ts';

const responseOf = ({ response }: OperationCase) =>
  Response.json(response.body, { status: response.status ?? 200 });

describe.each(operations)('$name', (operation) => {
  const { name, call, method, path, query, body, auth } = operation;

  test('reaches the service exactly as documented when it is allowed', async () => {
    const { proxy, sent, errors } = createProxied({ allow: [allowedAs(name)] }, () => responseOf(operation));
    await call(pageClient(proxy));
    expect(sent).toHaveLength(1);
    const { url, method: used, headers, body: text, redirect } = sent[0] ?? {};
    const target = new URL(String(url));
    expect(used).toBe(method);
    expect(target.origin + target.pathname).toBe(baseUrl + path);
    expect(Object.fromEntries(target.searchParams)).toEqual(query ?? {});
    expect(text === undefined ? undefined : JSON.parse(text)).toEqual(body);
    expect(redirect).toBe('manual');
    expect(headers).toEqual({
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(auth === 'bearer' ? { authorization: `Bearer ${apiKey}` } : { 'x-client-key': apiKey }),
    });
    expect(errors).toEqual([]);
  });

  test('is rejected with 403 when everything else is allowed, and nothing is sent', async () => {
    const { proxy, sent } = createProxied({ allow: everything.filter((id) => id !== allowedAs(name)) });
    const serviceMessage = 'This operation is not allowed.';
    const error = { name: 'PermissionDeniedError', status: 403, serviceMessage };
    await expect(call(pageClient(proxy))).rejects.toMatchObject(error);
    expect(sent).toEqual([]);
  });
});

test('a further parameter is rejected by its name, as it may open what is not allowed', async () => {
  const { proxy, sent } = createProxied();
  const list = pageClient(proxy).exams.list({}, { query: { school: 5 } });
  const error = await failure(list, BadRequestError);
  expect(error.serviceMessage).toContain('school');
  expect(sent).toEqual([]);
});

interface Described {
  readonly operationId: string;
  readonly parameters?: ReadonlyArray<{ readonly name: string; readonly in: string }>;
  readonly security?: ReadonlyArray<Readonly<Record<string, unknown>>>;
  readonly requestBody?: unknown;
}

/** The names of the fields of a body, wherever the document keeps them. */
function fieldsOf(described: Described, components: unknown): string[] {
  const resolve = (schema: unknown): Record<string, unknown> => {
    const { $ref } = Object(schema);
    if (typeof $ref !== 'string') return Object(schema);
    const [, , ...keys] = $ref.split('/');
    return resolve(keys.reduce((node, key) => Object(node)[key], components));
  };
  const body = resolve(described.requestBody);
  const { schema } = Object(Object(body['content'])['application/json']);
  return Object.keys(Object(resolve(schema)['properties'])).sort();
}

test('the table names the routes, credentials, parameters and fields of the OpenAPI document', async () => {
  const { paths, components } = JSON.parse(await readFile('spec/openapi.json', 'utf8'));
  const described = Object.entries<Record<string, Described>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => operationId !== 'webhooks.updateWithPut')
      .map(([method, operation]) => ({ path, method, operation })),
  );
  const { 'webhooks.rotateSecret': rotation, ...others } = table;
  expect(rotation.route).toBe(others['webhooks.update'].route);
  expect(Object.keys(rotation.body)).toEqual(Object.keys(others['webhooks.update'].body));
  const expected = described.map(({ path, method, operation }) => [
    operation.operationId,
    {
      route: `${method.toUpperCase()} ${path}`,
      query: (operation.parameters ?? []).flatMap((one) => (one.in === 'query' ? one.name : [])).sort(),
      body: fieldsOf(operation, components),
      isBearer: JSON.stringify(operation.security).includes('earer'),
    },
  ]);
  const actual = Object.entries<object>(others).map(([id, operation]) => [
    id,
    {
      route: Reflect.get(operation, 'route'),
      query: Object.keys(Object(Reflect.get(operation, 'query'))).sort(),
      body: Object.keys(Object(Reflect.get(operation, 'body'))).sort(),
      isBearer: Reflect.has(operation, 'bearer'),
    },
  ]);
  expect(Object.fromEntries(actual)).toEqual(Object.fromEntries(expected));
});
