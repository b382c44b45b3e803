import type { Operation } from '../../src/core/operation.ts';
import { Components } from './components.ts';
import { documentation, tags } from './documentation.ts';
import { annotate, parameterNotes } from './fields.ts';
import { type JsonSchema, toJsonSchema } from './json-schema.ts';
import { responses } from './responses.ts';

/** An OpenAPI document, as far as it is looked into. */
export interface OpenApiDocument {
  readonly openapi: '3.1.1';
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, object>>;
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

const ABOUT = `Made from the operation descriptors and schemas of the package \`exam-service-sdk\`, which follow the
service's interface document. Wherever that document shows no body, the schema is marked
\`x-undocumented: true\` and is open; statuses that it does not show are \`2XX\` and \`default\`.
Send \`Accept: application/json\` with every request.`;

/**
 * The interface of the service, from the descriptors of its operations.
 *
 * @throws {Error} when an operation has no documentation, or the documentation is of no operation.
 */
export function createDocument(operations: ReadonlyMap<string, Operation>): OpenApiDocument {
  const components = new Components();
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const same of byMethodAndPath(operations)) {
    const [{ method, path }] = same;
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(same, components) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Exam administration service',
      version: 'v1',
      description: ABOUT.replaceAll('\n', ' '),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: '/api/v1', description: 'The version is part of the path, on the host of the service.' },
    ],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        clientKey: { type: 'apiKey', in: 'header', name: 'X-Client-Key', description: 'The API key.' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The API key as a bearer token.' },
      },
      schemas: components.schemas,
    },
  };
}

/** Descriptors that share a method and a path, as one operation of the document. */
type Same = readonly [Operation, ...Operation[]];

/** In the order of the documentation. */
function byMethodAndPath(operations: ReadonlyMap<string, Operation>): Same[] {
  for (const id of operations.keys())
    if (!(id in documentation)) throw new Error(`The operation ${id} has no documentation.`);
  const groups = new Map<string, Same>();
  for (const id of Object.keys(documentation)) {
    const operation = operations.get(id);
    if (operation === undefined) throw new Error(`The documentation of ${id} is of no operation.`);
    const key = `${operation.method} ${operation.path}`;
    const [first, ...others] = [...(groups.get(key) ?? []), operation];
    groups.set(key, [first ?? operation, ...others]);
  }
  return [...groups.values()];
}

function describe(operations: Same, components: Components): OpenApiOperation {
  const [operation] = operations;
  const notes = documentation[operation.id];
  if (notes === undefined) throw new Error(`The operation ${operation.id} has no documentation.`);
  const parameters = parametersOf(operation);
  const bodies = operations.flatMap(({ request }) => request.body ?? []).map((body) => components.use(body));
  return {
    operationId: operation.id,
    tags: [notes.tag],
    summary: notes.summary,
    ...(notes.description !== undefined && { description: notes.description }),
    security: [{ [operation.auth]: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(bodies.length > 0 && { requestBody: requestBody(bodies) }),
    responses: responses(operations, notes.answer, components),
  };
}

function parametersOf({ id, request }: Operation): object[] {
  const list = (['path', 'query'] as const).flatMap((place) => {
    const schema = request[place];
    if (schema === undefined) return [];
    const { properties = {}, required = [] } = toJsonSchema(schema);
    return Object.entries(properties).map(([name, value]) => ({ place, name, value, required }));
  });
  const described: Record<string, unknown> = Object.fromEntries(list.map(({ name, value }) => [name, value]));
  annotate(described, parameterNotes[id], id);
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

function requestBody(bodies: readonly JsonSchema[]): object {
  const [only, ...others] = bodies;
  const schema = others.length === 0 ? only : { anyOf: bodies };
  return { required: true, content: { 'application/json': { schema } } };
}
