// Makes openapi.json from the descriptors of the client's operations.

import type { Operation } from '../../src/core/operation.ts';
import { Components } from './components.ts';
import { documentation, tags } from './documentation.ts';
import { collectExamples, type Examples } from './examples.ts';
import { annotate, type Notes } from './fields.ts';
import { type JsonSchema, toJsonSchema } from './json-schema.ts';
import { type OperationsOfOneRoute, responses } from './responses.ts';
import { webhooks } from './webhooks.ts';

/** The part of an OpenAPI document in use. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1';
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, unknown>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
  };
  readonly [part: string]: unknown;
}

/** One operation of a document. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly responses: Readonly<Record<string, unknown>>;
  readonly [part: string]: unknown;
}

const ABOUT = `The API of the exam administration service, generated from the operations and schemas of the package
\`exam-service-sdk\`. Where the service documents no body, the schema is open and marked \`x-undocumented: true\`; where it
documents no success status, the assumed one is marked \`x-assumed: true\`. Send \`Accept: application/json\` with every
request.`;

/**
 * The API of the service, from the descriptors of its operations.
 *
 * @throws {Error} when an operation has no documentation, or documentation has no operation.
 */
export async function createDocument(operations: ReadonlyMap<string, Operation>): Promise<OpenApiDocument> {
  const components = new Components();
  const examples = await collectExamples();
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const same of byMethodAndPath(operations)) {
    const [{ method, path }] = same;
    const described = describe(same, components, examples);
    const methods = { ...paths[path], [method.toLowerCase()]: described };
    // The one operation that the service accepts under two methods.
    const again = { ...described, operationId: `${described.operationId}WithPut` };
    paths[path] = method === 'PATCH' ? { ...methods, put: again } : methods;
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Exam administration service',
      version: 'v1',
      description: ABOUT.replaceAll('\n', ' '),
      contact: { name: 'The provider of your exam service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: '/api/v1', description: 'The version is part of the path, on the host of the service.' },
    ],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhooks(components, examples.deliveries),
    components: {
      securitySchemes: {
        clientKey: { type: 'apiKey', in: 'header', name: 'X-Client-Key', description: 'The API key.' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The API key as a bearer token.' },
      },
      responses: components.responses,
      schemas: components.schemas,
    },
  };
}

/** In the order of the documentation. */
function byMethodAndPath(operations: ReadonlyMap<string, Operation>): OperationsOfOneRoute[] {
  for (const id of operations.keys())
    if (!(id in documentation)) throw new Error(`The operation ${id} has no documentation.`);
  const groups = new Map<string, OperationsOfOneRoute>();
  for (const id of Object.keys(documentation)) {
    const operation = operations.get(id);
    if (operation === undefined) throw new Error(`The documentation of ${id} is of no operation.`);
    const key = `${operation.method} ${operation.path}`;
    const [first, ...others] = [...(groups.get(key) ?? []), operation];
    groups.set(key, [first ?? operation, ...others]);
  }
  return [...groups.values()];
}

function describe(
  operations: OperationsOfOneRoute,
  components: Components,
  examples: Examples,
): OpenApiOperation {
  const [operation] = operations;
  const notes = documentation[operation.id];
  if (notes === undefined) throw new Error(`The operation ${operation.id} has no documentation.`);
  const body = operation.request.body?.();
  // A reference has no properties: what a named component holds is described there.
  const bodySchema = body && components.use(body);
  const parameters = parametersOf(operation, notes.fields, bodySchema?.properties);
  return {
    operationId: operation.id,
    tags: [notes.tag],
    summary: notes.summary,
    description: notes.description,
    security: [{ [operation.auth]: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: {
        // A body that may be empty may be left out.
        required: (toJsonSchema(body).required ?? []).length > 0,
        content: { 'application/json': { schema: bodySchema, example: notes.example?.body } },
      },
    }),
    responses: responses(operations, notes.success, components, examples.responses),
  };
}

/** Path and query; the notes are on the properties of the body as well. */
function parametersOf(
  { id, request }: Operation,
  notes: Notes = {},
  body: Record<string, unknown> = {},
): object[] {
  const list = (['path', 'query'] as const).flatMap((place) => {
    const schema = request[place]?.();
    if (schema === undefined) return [];
    const { properties = {}, required = [] } = toJsonSchema(schema);
    return Object.entries(properties).map(([name, value]) => ({ place, name, value, required }));
  });
  const described: Record<string, unknown> = {
    ...body,
    ...Object.fromEntries(list.map(({ name, value }) => [name, value])),
  };
  annotate(described, notes, id);
  for (const name of Object.keys(body)) body[name] = described[name];
  return list.map(({ place, name, required }) => {
    const { description, ...schema } = Object(described[name]);
    return {
      name,
      in: place,
      ...(description !== undefined && { description }),
      required: required.includes(name),
      schema,
    };
  });
}
