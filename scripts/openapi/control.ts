import * as z from 'zod/mini';
import { CONTROL_HEADER } from '../../src/testing/console/guard.ts';
import { CONTROL_PREFIX, controlRoutes } from '../../src/testing/control/control.ts';
import type { ControlRoute } from '../../src/testing/control/route.ts';
import type { JsonSchema } from './json-schema.ts';

/** Description of a field, wherever it appears. */
const meanings: Readonly<Record<string, string>> = {
  participant_id: 'The participant.',
  exam_id: 'The exam.',
  result_id: 'The result.',
  endpoint_id: 'The webhook endpoint.',
  score: 'The score.',
  active: 'Whether it is active.',
  verified: 'Whether the email is verified.',
  event: 'Name of an event. Default: exam_result.completed.',
  seconds: 'How far to move the time forward.',
  last: 'So many of the newest. Default: all.',
  participants: 'So many made-up ones, or these; fields that are left out are made up.',
  exams: 'So many made-up ones, or these; fields that are left out are made up.',
  assignments: 'Who is assigned to which exam.',
  results: 'Results; who is not assigned yet is.',
  webhooks: 'Webhook endpoints; a secret may be chosen.',
  style: 'Form of the bodies that the service does not document.',
  decimals: 'How scores in the list of results are written.',
  ids: 'How ids are written in undocumented bodies.',
  numbers: 'How other numbers are written in undocumented bodies.',
  credentials: 'Whether an operation accepts the key under its own credential only, or under either.',
  refused_keys: 'Further keys, each with the status that it is refused with.',
  utc_offset: 'UTC offset of timestamps, in minutes.',
  max_participants: 'How many participants there may be after an import; null for no limit.',
  max_participants_per_exam: 'How many participants may be assigned to an exam; null for no limit.',
  imported_participants: 'State of a participant that an import creates.',
  disable_after_failures: 'Failed deliveries in a row after which an endpoint is disabled; null for never.',
  retry_delays: 'Waits before new attempts at a delivery, in milliseconds.',
  delivery_timeout: 'How long a receiver may take, in milliseconds.',
  preset: 'A common fault by its name; other fields refine it.',
  on: 'Operations or events that it strikes. Default: all.',
  times: 'How often it strikes, null for always. Default: 1.',
  rate: 'Chance of striking, from 0 to 1. Default: 1.',
  delay: 'Wait before the answer, in milliseconds.',
  effect: 'What comes instead of the answer, or what is done to a delivery.',
  processed: 'Whether the operation is carried out before its answer is lost. Default: false.',
};

const about = `Does to a running emulator what no operation of the service does. Every request sends the header
${CONTROL_HEADER}, with any value. The forms of the emulator's console page use the same routes.`;

/** The OpenAPI document of the emulator's control interface, generated from its table of routes. */
export function createControlDocument(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of controlRoutes) {
    const path = CONTROL_PREFIX + route.path;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describe(route) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Control interface of the exam service emulator',
      version: 'v1',
      description: about.replaceAll('\n', ' '),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'Where `exam-service-sdk emulator` listens.' }],
    security: [{ control: [] }],
    paths,
    components: {
      securitySchemes: {
        control: {
          type: 'apiKey',
          in: 'header',
          name: CONTROL_HEADER,
          description: 'Any value. No web page of another origin can send it.',
        },
      },
      schemas: {
        Outcome: {
          type: 'object',
          required: ['message', 'data'],
          properties: {
            message: { type: 'string', description: 'What was done, in words.' },
            data: { description: 'The records or the values that it is about; null where there are none.' },
          },
        },
        Refusal: {
          type: 'object',
          required: ['message'],
          properties: { message: { type: 'string', description: 'Why not.' } },
        },
      },
    },
  };
}

function describe({ method, path, summary, input }: ControlRoute): object {
  const schema = explained(z.toJSONSchema(input, { io: 'input' }));
  const fields = Object.entries(schema.properties ?? {});
  const body = method === 'POST' && (fields.length > 0 || schema.type === undefined);
  const required = schema.required ?? [];
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[/-](\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    summary,
    ...(method === 'GET' &&
      fields.length > 0 && {
        parameters: fields.map(([name, field]) => {
          const { description, ...type } = Object(field);
          return { name, in: 'query', description, required: required.includes(name), schema: type };
        }),
      }),
    ...(body && {
      requestBody: {
        required: required.length > 0 || schema.type === undefined,
        content: { 'application/json': { schema } },
      },
    }),
    responses: {
      200: answer('It is done.', 'Outcome'),
      403: answer('The header is missing, or the request comes from a web page.', 'Refusal'),
      422: answer('The input cannot be used, or it cannot be done.', 'Refusal'),
    },
  };
}

/** Adds a description to every field. */
function explained({ $schema: _, ...schema }: JsonSchema): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const description = meanings[name];
    if (description === undefined) throw new Error(`The field ${name} has no meaning yet.`);
    return [name, { ...Object(field), description }];
  });
  return properties.length === 0 ? schema : { ...schema, properties: Object.fromEntries(properties) };
}

function answer(description: string, component: string): object {
  return {
    description,
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${component}` } } },
  };
}
