// What every generated client does: import, assign, list, and register a webhook endpoint.
import assert from 'node:assert/strict';

const task = {
  baseUrl: String(process.env['BASE_URL']),
  apiKey: String(process.env['API_KEY']),
  rows: [{ email: 'ada@example.test', name: 'Ada Lovelace', password: 'correct-horse-battery' }],
  pair: { participant_id: 1, exam_id: 1 },
  endpoint: { url: 'https://receiver.example.test/hooks', events: ['exam_result.completed'] },
};

interface Outcome {
  readonly statuses: readonly (number | undefined)[];
  readonly list: unknown;
  readonly secret: string | undefined;
}

export async function run(work: (given: typeof task) => Promise<Outcome>): Promise<void> {
  const { statuses, list, secret } = await work(task);
  assert.deepEqual(statuses, [201, 201, 200, 201]);
  assert.match(JSON.stringify(list), /"email":"ada@example\.test"/);
  assert.ok(secret, 'The response to a new endpoint shows its secret.');
}
