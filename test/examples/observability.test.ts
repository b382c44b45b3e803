import { expect, test } from 'vitest';
import { longTest } from '../helpers/long-test.ts';
import { startServer } from '../helpers/server.ts';
import { outputOf } from './helpers.ts';

const observe = async (environment?: Record<string, string>) =>
  (await outputOf('observability.ts', environment)).replace(/ [\d.]+ ms$/gm, '');

test('examples/observability.ts prints the trace of a job and its deliveries as an indented tree, and the failures of the endpoint', async () => {
  const printed = await observe();
  const [, tree = ''] = printed.split('\n\n');
  const lines = tree.trimEnd().split('\n');
  expect(lines.slice(0, 4)).toEqual([
    'register a class',
    '  GET /participants -> 200',
    '    GET /participants -> 503',
    '    GET /participants -> 200 (resent 1)',
  ]);
  const delivery = 'process exam_result.completed -> 204';
  expect(lines.filter((line) => !line.startsWith(' '))).toEqual(['register a class', delivery, delivery]);
  expect(lines).toContain('    POST /exam-participants/assign -> 400');
  expect(lines.slice(-7, -2)).toEqual([
    '  receive the results',
    '    POST /webhooks -> 201',
    '      POST /webhooks -> 201',
    '    DELETE /webhooks/{id} -> 200',
    '      DELETE /webhooks/{id} -> 200',
  ]);
  expect(printed).toContain('verified deliveries: 2');
  expect(printed).toContain('exam_service.webhook.consecutive_failures {"exam_service.webhook.id":1} 0\n');
});

longTest('with OTEL_EXPORTER_OTLP_ENDPOINT the trace also goes there', async () => {
  await using collector = await startServer({ body: {} });
  await observe({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin });
  expect(new Set(collector.requests.map(({ path }) => path))).toEqual(new Set(['/v1/traces']));
  expect(collector.requests.map(({ text }) => text).join()).toContain('POST /exam-participants/assign');
});
