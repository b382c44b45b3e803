// Traces client and receiver with OpenTelemetry.
//
//   npx node examples/observability.ts
//
// Each call is a span with one child for each attempt, in the trace of the job that made it; each delivery is a span of its
// own. Traces are printed as an indented tree; with OTEL_EXPORTER_OTLP_ENDPOINT they also go to a collector. A gauge counts
// failed deliveries.
import { SpanStatusCode } from '@opentelemetry/api';
import { ExamClient } from 'exam-service-sdk';
import { openTelemetry } from 'exam-service-sdk/opentelemetry';
import { connectService, startReceiver } from './support/program.ts';
import { startTelemetry } from './support/telemetry.ts';

const telemetry = startTelemetry('exam-registration');
// The emulator has a bad moment, so that the trace shows a retry and a response that is rejected.
const unavailable = { effect: 'respond', status: 503, headers: { 'Retry-After': '0' } } as const;
const service = await connectService({
  participants: 30,
  missing: !process.argv.includes('--test-project') && '--test-project',
  faults: [{ on: 'participants.list', ...unavailable }],
});
const { tracerProvider, meterProvider } = telemetry;
// One set of hooks serves both sides.
const hooks = openTelemetry({ tracerProvider, meterProvider });
const receiver = await startReceiver(hooks);
const client = new ExamClient({ baseUrl: service.baseUrl, apiKey: service.apiKey, hooks });
watchEndpoints();

try {
  await inSpan('register a class', async () => {
    const people = await client.participants
      .list({ limit: 10 }, { concurrency: 2 })
      .toArray({ maxItems: 30 });
    const [exam] = await client.exams.list({ limit: 1 }).toArray({ maxItems: 1 });
    if (exam === undefined) throw new Error('The service has no exam to assign anybody to.');
    const pairs = people.slice(0, 2).map(({ id }) => ({ participant_id: id, exam_id: exam.id }));
    await client.examParticipants.assignAll([...pairs, ...pairs], {
      onResult: ({ participant_id, status }) => console.log(`participant ${participant_id}: ${status}`),
    });
    await inSpan('receive the results', () => receiveResults(exam.id, pairs));
  });
} finally {
  // Before the service is gone, as the gauge is read once more.
  console.log(`\n${await telemetry.finish()}`);
  await receiver.close();
  await service.close();
}

/** Registers the receiver, has the emulated participants take the exam, and waits for the deliveries. */
async function receiveResults(exam: number, pairs: readonly { participant_id: number }[]): Promise<void> {
  const created = await client.webhooks.create({ url: receiver.url, events: ['exam_result.completed'] });
  try {
    receiver.start(created.secret);
    const takers = pairs.map(({ participant_id }) => participant_id);
    if (service.takeExam === null) await client.webhooks.test(created.id);
    else service.takeExam(exam, takers);
    await receiver.waitFor(takers.length, 5_000);
    console.log(`verified deliveries: ${receiver.scores.size}`);
    console.log(await telemetry.measure());
  } finally {
    await client.webhooks.delete(created.id);
  }
}

/** Asks the service, each time that metrics are read, how many deliveries in a row have failed. */
function watchEndpoints(): void {
  // Without hooks: what only measures needs no trace.
  const { webhooks } = client.withOptions({ hooks: [] });
  telemetry.meter
    .createObservableGauge('exam_service.webhook.consecutive_failures', {
      description: 'Consecutive failed deliveries to an endpoint, as the service counts them.',
      unit: '{delivery}',
    })
    .addCallback(async (gauge) => {
      for (const { id, consecutive_failures } of await webhooks.list()) {
        gauge.observe(consecutive_failures, { 'exam_service.webhook.id': id });
      }
    });
}

/** Does `work` in a span of its own, in which the calls that it makes have their place. */
function inSpan<T>(name: string, work: () => Promise<T>): Promise<T> {
  return telemetry.tracer.startActiveSpan(name, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}
