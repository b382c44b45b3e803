// The webhooks of openapi.json: the deliveries that a receiver gets.

import { type WebhookEventName, webhookEventNames } from '../../src/schemas/webhook-event.ts';
import type { Components } from './components.ts';
import { timestamp } from './fields.ts';
import type { JsonSchema } from './json-schema.ts';

const SIGNATURE =
  `The signature of the delivery: \`t=<unix timestamp>,v1=<hex>\`. \`v1\` is the lowercase hexadecimal
HMAC-SHA256 of \`<t>.<raw body>\` (the timestamp, a dot, the bytes of the body as they were received), keyed with the
endpoint's signing secret. Compute it again and compare in constant time. Respond with 400 if it differs, or if \`t\` is more than
300 seconds away from your clock.`.replaceAll('\n', ' ');

const meanings: Readonly<Record<WebhookEventName, string>> = {
  'exam_participant.registered': 'A participant was registered to an exam.',
  'exam_participant.unregistered': "A participant's registration was cancelled.",
  'exam_result.completed': 'A participant finished the test.',
  'exam_result.scored': 'A test score was issued or changed.',
};

/** The deliveries that the service sends to a receiver, by event, each with one that the emulator sent. */
export function webhooks(components: Components, delivered: ReadonlyMap<string, unknown>): object {
  return Object.fromEntries(
    webhookEventNames.map((name) => {
      const schema = components.define(componentName(name), () => event(name, components));
      return [name, { post: delivery(name, { schema, example: delivered.get(name) }) }];
    }),
  );
}

function delivery(name: WebhookEventName, content: object): object {
  return {
    operationId: `on.${name}`,
    tags: ['Deliveries'],
    summary: meanings[name],
    description: 'Any response other than 2xx is retried with increasing delays.',
    security: [],
    parameters: [
      {
        name: 'X-Cbt-Signature',
        in: 'header',
        required: true,
        description: SIGNATURE,
        schema: { type: 'string', pattern: '^t=[0-9]+,v1=[0-9a-f]{64}$' },
      },
    ],
    requestBody: { required: true, content: { 'application/json': content } },
    responses: {
      200: { description: 'Acknowledges the delivery, as any other 2xx does.' },
      400: { description: 'The signature or its age is wrong.' },
      default: { description: 'The delivery is retried with increasing delays.' },
    },
  };
}

/** `exam_result.completed` becomes `ExamResultCompletedEvent`. */
function componentName(name: string): string {
  return `${name.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`;
}

function event(name: WebhookEventName, components: Components): JsonSchema {
  const data =
    name === 'exam_result.completed'
      ? components.define('CompletedExamResult', () => completedResult)
      : undocumentedData;
  return {
    type: 'object',
    properties: {
      event: { type: 'string', const: name, description: 'Name of the event.' },
      created_at: { type: 'string', ...timestamp('When the event happened.') },
      data,
    },
    required: ['event', 'created_at', 'data'],
    additionalProperties: true,
  };
}

const undocumentedData: JsonSchema = {
  description: 'The service does not document the fields of this payload.',
  type: 'object',
  additionalProperties: true,
  'x-undocumented': true,
};

const id = (of: string): JsonSchema => ({ type: 'integer', description: `Unique ID of the ${of}.` });
const text = (description: string): JsonSchema => ({ type: 'string', description });

function record(description: string, properties: Record<string, JsonSchema>): JsonSchema {
  return {
    type: 'object',
    description,
    properties,
    required: Object.keys(properties),
    additionalProperties: true,
  };
}

const completedResult = record('Payload of `exam_result.completed`.', {
  exam_result_id: id('result'),
  user_exam_id: id('registration to the exam'),
  participant_code: text('Code of the participant.'),
  exam: record('The exam.', {
    id: id('exam'),
    name: text('Name of the exam.'),
    name_short: text('Short name of the exam.'),
  }),
  exam_quiz: record('The quiz within the exam.', { id: id('quiz'), name: text('Name of the quiz.') }),
  participant: record('The participant.', {
    id: { ...id('participant'), format: 'int64' },
    name: text('Full name.'),
    email: { ...text('Email address.'), format: 'email' },
  }),
  status: { type: 'integer', description: '2 means finished; no other value is documented.' },
  status_label: text('The status in words.'),
  score: { type: 'number', description: 'The score, a decimal number.' },
  start_at: { type: 'string', ...timestamp('When the participant started.') },
  end_at: { type: 'string', ...timestamp('When the participant finished.') },
});
