// Writes dist/emulator-control.json, of the routes of the emulator's control interface. Every build runs it.

import { writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { CONTROL_HEADER } from '../../src/testing/console/guard.ts';
import { CONTROL_PREFIX, type ControlRoute } from '../../src/testing/control/route.ts';
import { controlRoutes } from '../../src/testing/control/serve.ts';
import { jsonName } from '../../src/testing/control/settings-input.ts';
import { settingEntries } from '../../src/testing/emulator/service/service-settings.ts';
import type { JsonSchema } from './json-schema.ts';

/** Description of a field, wherever it appears. */
const meanings: Readonly<Record<string, string>> = {
  participant_id: 'The participant.',
  exam_id: 'The exam.',
  result_id: 'The result.',
  endpoint_id: 'The webhook endpoint.',
  delivery_id: 'The delivery, a UUID.',
  id: 'The id. Default: the next free one.',
  email: 'The email. Default: made up.',
  name: 'The name. Default: made up.',
  password: 'The password. Default: made up.',
  name_short: 'The short name. Default: made up.',
  quiz_name: 'Name of the quiz in a result. Default: made up.',
  url: 'Where the deliveries are sent.',
  events: 'The events that it receives. Default: all.',
  description: 'A description. Default: none.',
  secret: 'The signing secret. Default: a random one.',
  score: 'The score.',
  active: 'Whether it is active.',
  verified: 'Whether the email is verified.',
  event: 'Name of an event. Default: exam_result.completed.',
  seconds: 'How far to move the time forward.',
  last: 'How many of the newest. Default: all.',
  participants: 'How many to make up, or a list; omitted fields are made up.',
  exams: 'How many to make up, or a list; omitted fields are made up.',
  assignments: 'Who is assigned to which exam.',
  results: 'Results; participants who are not assigned yet will be.',
  webhooks: 'Webhook endpoints; a secret may be chosen.',
  preset: 'A common fault by its name; other fields refine it.',
  on: 'Operations or events that it strikes. Default: all.',
  times: 'How often it strikes, null for always. Default: 1.',
  rate: 'Probability of striking, from 0 to 1. Default: 1.',
  delay: 'Wait before the response, in milliseconds.',
  effect: 'What to send instead of the response, or what to change about a delivery.',
  processed: 'Whether the operation is carried out before its response is lost. Default: false.',
  ...Object.fromEntries(settingEntries.map(([name, { about }]) => [jsonName(name), `${about}.`])),
};

const about = `Controls a running emulator beyond the operations of the service. Every request sends the header
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
      responses: {
        Done: response('Done.', 'Outcome'),
        Foreign: response('The header is missing, or the request comes from a web page.', 'Rejection'),
        Impossible: response('The input is invalid, or the action is not possible.', 'Rejection'),
      },
      schemas: {
        Outcome: {
          type: 'object',
          required: ['message', 'data'],
          properties: {
            message: { type: 'string', description: 'What was done, for people to read.' },
            data: { description: 'The records or values concerned; null when there are none.' },
          },
        },
        Rejection: {
          type: 'object',
          required: ['message'],
          properties: { message: { type: 'string', description: 'The reason.' } },
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
      200: { $ref: '#/components/responses/Done' },
      403: { $ref: '#/components/responses/Foreign' },
      422: { $ref: '#/components/responses/Impossible' },
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

function response(description: string, component: string): object {
  return {
    description,
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${component}` } } },
  };
}

if (import.meta.main) {
  const file = new URL('../../dist/emulator-control.json', import.meta.url);
  writeFileSync(file, `${JSON.stringify(createControlDocument(), null, 2)}\n`);
}
