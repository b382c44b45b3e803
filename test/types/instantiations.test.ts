import { expect, test } from 'vitest';
import { countInstantiations } from '../helpers/declarations.ts';

/** What most programs do: make a client, import, ensure, list, handle errors. */
const typical = `import { ExamClient, isApiError, isExamServiceError } from 'exam-service-sdk';

const client = new ExamClient({ baseUrl: 'https://h.test/api/v1', apiKey: 'key', timeout: 5_000 });
try {
  await client.participants.import([{ email: 'ana@example.test', name: 'Ana', password: 'cedar' }]);
  const { url } = await client.examParticipants.ensure({ participant_id: 1, exam_id: 2 }, { link: true });
  console.log(url);
  for await (const result of client.examResults.list({ exam_id: 2 })) console.log(result.score);
} catch (error) {
  if (!isExamServiceError(error)) throw error;
  console.log(error.code, error.outcome, error.retryable);
  if (isApiError(error)) console.log(error.status, error.serviceMessage);
}
`;

const receiver = `import { createWebhookHandler, toNodeListener } from 'exam-service-sdk/webhooks';

const handler = createWebhookHandler({
  on: {
    'exam_result.completed': async ({ data }) => console.log(data.exam_result_id, data.score),
    'exam_participant.registered': ({ data }) => console.log(data),
  },
  onInvalid: ({ issues }) => console.log(issues),
});
export const listener = toNodeListener(handler);
`;

const jobs = `import { ExamClient } from 'exam-service-sdk';

declare const client: ExamClient;
async function* readRows() {
  yield { mail: 'ana@example.test', name: 'Ana', password: 'cedar', id: 12 };
}
const { imported } = await client.participants.importAll(readRows(), {
  map: ({ mail, name, password }) => ({ email: mail, name, password }),
  onRejected: ({ row, message }) => console.log(row.mail, message),
});
const { assigned } = await client.examParticipants.assignAll(readRows(), {
  map: ({ id }) => ({ participant_id: id, exam_id: 2 }),
  onResult: ({ row, url }) => console.log(row.mail, url),
});
console.log(imported, assigned);
`;

// Ceilings: a type that a reader understands costs the compiler little.
test.each<[what: string, files: Record<string, string>, ceiling: number]>([
  ['a typical program', { typical }, 150],
  ['a typical program with a receiver', { typical, receiver }, 400],
  ['both jobs over an async iterable', { jobs }, 900],
])('%s costs few instantiations of types', (_, files, ceiling) => {
  expect(countInstantiations(files)).toBeLessThanOrEqual(ceiling);
});
