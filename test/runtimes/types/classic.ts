// Compiled with `module: commonjs`, as older templates have it, and run: every entry is found, for its types and for its code.
import { type Exam, ExamClient, NotFoundError } from 'exam-service-sdk';
import { openTelemetry } from 'exam-service-sdk/opentelemetry';
import { createEmulator, signedWebhook } from 'exam-service-sdk/testing';
import { createMswHandlers } from 'exam-service-sdk/testing/msw';
import { createWebhookHandler } from 'exam-service-sdk/webhooks';

async function run(): Promise<string> {
  const emulator = createEmulator({ apiKey: 'classic-key' });
  emulator.control.seedExams(1);
  const client = new ExamClient({
    baseUrl: 'https://host.test/api/v1',
    apiKey: 'classic-key',
    fetch: emulator.fetch,
    hooks: openTelemetry(),
    logLevel: 'off',
  });
  const exams: Exam[] = await client.exams.list().toArray({ maxItems: 5 });
  const failure: unknown = await client.exams.retrieve(99).catch((error: unknown) => error);
  const seen: string[] = [];
  const receive = createWebhookHandler({
    secret: 'whsec_classic',
    onUnknown: ({ event }) => void seen.push(event),
    onRejected: ({ message }) => void seen.push(message),
  });
  const body = JSON.stringify({ event: 'exam.archived', created_at: '2026-01-02T03:04:05Z', data: {} });
  const response = await receive(signedWebhook({ body, secret: 'whsec_classic' }).toRequest());
  const handlers = createMswHandlers(emulator).length > 0;
  return JSON.stringify([exams.length, failure instanceof NotFoundError, response.status, seen, handlers]);
}

run().then(console.log);
