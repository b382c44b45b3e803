import type { Operation } from '../../src/core/operation.ts';
import type { Components, InlineResponse, Response } from './components.ts';
import { documentedFailures } from './failures.ts';
import { secret } from './fields.ts';
import type { JsonSchema } from './json-schema.ts';

/** Descriptors with the same method and path, which are one operation in the document. */
export type OperationsOfOneRoute = readonly [Operation, ...Operation[]];

/** The responses of an operation by status, with those of the emulator as examples. */
export function responses(
  [operation, ...others]: OperationsOfOneRoute,
  description: string,
  components: Components,
  examples: ReadonlyMap<string, unknown>,
): Record<string, Response> {
  const failed = components.define('UndocumentedError', undocumented);
  const json = (status: string, description: string, schema: JsonSchema): InlineResponse => {
    const example = examples.get(`${operation.id} ${status}`);
    const content = { 'application/json': { schema, ...(example !== undefined && { example }) } };
    return { description, content };
  };
  const failure = (status: string, description: string): [string, Response] => {
    const response = json(status, description, failed);
    const name = sharedNames[status];
    return [status, name === undefined ? response : components.share(name, response)];
  };
  return Object.fromEntries([
    ...successStatuses(operation).map((status): [string, Response] => {
      const response = json(String(status), description, success([operation, ...others], components));
      return [String(status), operation.success === null ? { ...response, 'x-assumed': true } : response];
    }),
    ...documentedFailures(operation).map(([status, , condition]) => failure(String(status), condition)),
    failure('default', 'A failure that the service does not document for this operation.'),
  ]);
}

/** Failures that mean the same for every operation. */
const sharedNames: Readonly<Record<string, string>> = {
  401: 'Unauthenticated',
  403: 'Forbidden',
  500: 'ServerError',
  default: 'UndocumentedFailure',
};

/** The webhook operations have no documented status: a creation may return 200 or 201, a test 200 or 202, everything else 200. */
function successStatuses({ method, path, success }: Operation): number[] {
  if (success !== null) return [success];
  if (method !== 'POST') return [200];
  return path === '/webhooks' ? [200, 201] : [200, 202];
}

/** Only the webhook operations have a documented body. */
function success(same: OperationsOfOneRoute, components: Components): JsonSchema {
  const [operation] = same;
  return operation.auth === 'bearer' ? enveloped(same, components) : open(operation, components);
}

/** An undocumented body; its description still says what it is about. */
function open(operation: Operation, components: Components): JsonSchema {
  const { kind } = operation.response;
  if (kind !== 'record' && kind !== 'list') return undocumented();
  const record = components.record(operation);
  const bare = kind === 'list' ? { type: 'array' as const, items: record } : record;
  const wrapped = components.define('Wrapped', () => ({
    description: 'An object around the record or list, in a form that the service does not document.',
    type: 'object',
    additionalProperties: true,
    'x-undocumented': true,
  }));
  return { ...undocumented(), anyOf: [bare, wrapped] };
}

function undocumented(): JsonSchema {
  return { description: 'The service does not document this body.', 'x-undocumented': true };
}

function enveloped([operation, ...others]: OperationsOfOneRoute, components: Components): JsonSchema {
  const envelope = components.define('WebhookEnvelope', () => ({
    type: 'object',
    properties: {
      success: { type: 'boolean', description: 'Whether the operation succeeded.' },
      message: { type: ['string', 'null'], description: 'For people to read.' },
      data: { description: 'The result: an object, an array or null.' },
    },
    required: ['success', 'data'],
    additionalProperties: true,
  }));
  const parts = others.flatMap((other) => partOf(other, components));
  return { allOf: [envelope, { type: 'object', ...envelopeContent(operation, components) }, ...parts] };
}

/** A part of the body that is read by an operation of its own. */
function partOf(operation: Operation, components: Components): JsonSchema[] {
  const { response } = operation;
  if (response.kind !== 'part') return [];
  const wrap = (schema: JsonSchema, key: string): JsonSchema => ({
    type: 'object',
    properties: { [key]: schema },
    required: [key],
  });
  return [response.path.reduceRight(wrap, components.record(operation))];
}

function envelopeContent(operation: Operation, components: Components): JsonSchema {
  const record = components.record(operation);
  switch (operation.response.kind) {
    case 'list': {
      const meta = components.define('PaginationMeta', () => paginationMeta);
      const data = { type: 'array' as const, description: 'The page.', items: record };
      return { properties: { data, meta }, required: ['data', 'meta'] };
    }
    case 'empty':
      return withData({ type: 'null', description: 'Always null.' });
    default:
      return withData(operation.id === 'webhooks.update' ? mayShowSecret(record) : record);
  }
}

/** Required again: to a generator of types, the envelope and this are two types. */
function withData(data: JsonSchema): JsonSchema {
  return { properties: { data }, required: ['data'] };
}

function mayShowSecret(endpoint: JsonSchema): JsonSchema {
  const description = `${secret.description} Present only when \`rotate_secret\` was true.`;
  return { allOf: [endpoint, { type: 'object', properties: { secret: { ...secret, description } } }] };
}

const integer = (description: string): JsonSchema => ({ type: 'integer', description });

const position = (description: string): JsonSchema => ({ type: ['integer', 'null'], description });

const paginationMeta: JsonSchema = {
  type: 'object',
  description: 'Metadata of the list.',
  properties: {
    pagination: {
      type: 'object',
      description: 'Position of the page in the list.',
      properties: {
        total: integer('Number of items in the list.'),
        per_page: integer('Items per page.'),
        current_page: integer('Number of this page.'),
        last_page: integer('Number of the last page.'),
        from: position('Position of the first item of this page; Laravel sends null on an empty page.'),
        to: position('Position of the last item of this page; Laravel sends null on an empty page.'),
      },
      required: ['total', 'per_page', 'current_page', 'last_page'],
    },
  },
  required: ['pagination'],
};
