import type { Operation } from '../../src/core/operation.ts';
import type { Components } from './components.ts';
import { documentedFailures } from './failures.ts';
import type { JsonSchema } from './json-schema.ts';

interface Response {
  readonly description: string;
  readonly content: { readonly 'application/json': { readonly schema: JsonSchema } };
}

/** What the operations of one method and path answer, by status. */
export function responses(
  operations: readonly [Operation, ...Operation[]],
  answer: string,
  components: Components,
): Record<string, Response> {
  const [operation] = operations;
  const [status, description] =
    operation.success === null
      ? ['2XX', `${answer} The interface document does not show the status.`]
      : [operation.success, answer];
  const schema = either(operations.map((each) => success(each, components)));
  const failed = components.define('UndocumentedError', () => undocumented());
  return {
    [status]: json(description, schema),
    ...Object.fromEntries(
      documentedFailures(operation).map(({ status, condition }) => [status, json(condition, failed)]),
    ),
    default: json('A failure that the interface document does not show for this operation.', failed),
  };
}

/** Only the webhook operations have a documented body (interface document, Response envelope). */
function success(operation: Operation, components: Components): JsonSchema {
  return operation.auth === 'bearer' ? enveloped(operation, components) : open(operation, components);
}

/** A body that is not shown; what it is about is named all the same. */
function open(operation: Operation, components: Components): JsonSchema {
  const { kind } = operation.response;
  if (kind !== 'record' && kind !== 'list') return undocumented();
  const record = components.record(operation);
  const bare = kind === 'list' ? { type: 'array' as const, items: record } : record;
  const wrapped = components.define('Wrapped', () => ({
    description: 'An object around the answer, of a form that the interface document does not show.',
    type: 'object',
    'x-undocumented': true,
  }));
  return { ...undocumented(), anyOf: [bare, wrapped] };
}

function undocumented(): JsonSchema {
  return { description: 'The interface document does not show this body.', 'x-undocumented': true };
}

function enveloped(operation: Operation, components: Components): JsonSchema {
  const envelope = components.define('WebhookEnvelope', () => ({
    type: 'object',
    properties: {
      success: { type: 'boolean' },
      message: { type: ['string', 'null'], description: 'For people to read.' },
      data: { type: ['object', 'array', 'null'], description: 'The result.' },
    },
    required: ['success', 'data'],
  }));
  return { allOf: [envelope, { type: 'object', ...envelopeContent(operation, components) }] };
}

function envelopeContent(operation: Operation, components: Components): JsonSchema {
  const record = components.record(operation);
  switch (operation.response.kind) {
    case 'envelope':
      return record;
    case 'list': {
      const meta = components.define('PaginationMeta', () => paginationMeta);
      return { properties: { data: { type: 'array', items: record }, meta }, required: ['data', 'meta'] };
    }
    case 'nothing':
      return { properties: { data: { type: 'null' } } };
    default:
      return { properties: { data: record } };
  }
}

/** Interface document, Webhook endpoints. The framework of the service writes null where a page is empty. */
const paginationMeta: JsonSchema = {
  type: 'object',
  properties: {
    pagination: {
      type: 'object',
      properties: {
        total: { type: 'integer' },
        per_page: { type: 'integer' },
        current_page: { type: 'integer' },
        last_page: { type: 'integer' },
        from: {
          type: ['integer', 'null'],
          description: 'Position of the first item; null on an empty page.',
        },
        to: { type: ['integer', 'null'], description: 'Position of the last item; null on an empty page.' },
      },
      required: ['total', 'per_page', 'current_page', 'last_page'],
    },
  },
  required: ['pagination'],
};

function either(schemas: readonly JsonSchema[]): JsonSchema {
  const [only, ...others] = schemas;
  return only !== undefined && others.length === 0 ? only : { anyOf: [...schemas] };
}

function json(description: string, schema: JsonSchema): Response {
  return { description, content: { 'application/json': { schema } } };
}
