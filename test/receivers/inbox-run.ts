import { expect, vi } from 'vitest';
import { signedWebhook } from '../../src/testing/index.ts';
import { completed } from '../webhooks/helpers.ts';
import { secret, send } from './deliveries.ts';
import type { TestDatabase } from './inbox-helpers.ts';
import { type Recipe, startExample } from './recipe.ts';

export const IN_FLIGHT = 16;
export const DATES = ['2025-03-01T09:45:10+07:00', '2025-03-01T09:45:11+07:00', '2025-03-01T09:45:12+07:00'];

/** Four events of each result: finished, then rescored three times. The last score is the result's id. */
export const eventsOf = (id: number) => {
  const data = {
    ...completed.data,
    exam_result_id: id,
    participant: { id, name: 'Ana', email: 'ana@example.test' },
  };
  const scored = (created_at: string, score: number) => ({
    event: 'exam_result.scored',
    created_at,
    data: { ...data, score },
  });
  const [first = '', second = '', third = ''] = DATES;
  return [
    { event: 'exam_result.completed', created_at: '2025-03-01T09:45:00+07:00', data: { ...data, score: 0 } },
    scored(first, id + 1),
    scored(second, id + 2),
    scored(third, id),
  ];
};

/** Delivers as the service does: again and again, until it is acknowledged. */
export async function deliver(url: string, event: object, onAnswer: () => void): Promise<void> {
  const body = JSON.stringify(event);
  await vi.waitFor(
    async () => {
      const { status } = await send(url, signedWebhook({ body, secret }));
      if (status !== 204) throw new Error(`The inbox responded with ${status}.`);
    },
    { timeout: 60_000, interval: 100 },
  );
  onAnswer();
}

export function start(
  database: Pick<TestDatabase, 'env'>,
  parts: readonly string[],
  env: Record<string, string>,
): Promise<Recipe> {
  const common = { EXAM_SERVICE_WEBHOOK_SECRET: secret, PORT: '0', JOB_SECONDS: '4' };
  return startExample('inbox/start', { ...common, ...database.env, ...env }, parts);
}

export const nothingLeft = ({ output }: Recipe) => output.at(-1)?.endsWith(' 0 left') === true;

/** Every event of `results` results is stored and handled, and had its effects once. */
export async function expectEachOnce(database: TestDatabase, results: number): Promise<void> {
  const [counted] = await database.query(`
    SELECT count(*)::int AS stored, count(handled_at)::int AS handled, count(problem)::int AS odd,
      (SELECT count(*)::int FROM certificate_orders) AS orders,
      (SELECT count(DISTINCT exam_result_id)::int FROM certificate_orders) AS ordered,
      (SELECT count(*)::int FROM exam_results) AS results,
      (SELECT count(*)::int FROM exam_results WHERE score = exam_result_id) AS newest
    FROM inbox`);
  const events = 4 * results;
  expect(counted).toEqual({
    ...{ stored: events, handled: events, odd: 0 },
    ...{ orders: results, ordered: results },
    ...{ results, newest: results },
  });
}
