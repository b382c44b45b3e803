import type { Meter } from '@opentelemetry/api';

/** The metrics of calls and deliveries. Durations are in seconds. */
export type Instruments = ReturnType<typeof create>;

/** Upper bounds in seconds, as the semantic conventions advise for both histograms. */
const DURATION_BOUNDARIES = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** Creates the instruments on first use: a global meter provider may be registered after the client is created. */
export function createInstruments(getMeter: () => Meter): () => Instruments {
  let instruments: Instruments | undefined;
  return () => {
    instruments ??= create(getMeter());
    return instruments;
  };
}

function create(meter: Meter) {
  return {
    duration: meter.createHistogram('http.client.request.duration', {
      description: 'Duration of HTTP client requests.',
      unit: 's',
      advice: { explicitBucketBoundaries: DURATION_BOUNDARIES },
    }),
    retries: meter.createCounter('exam_service.client.retries', {
      description: 'Attempts that failed and were followed by another.',
      unit: '{retry}',
    }),
    pauses: meter.createCounter('exam_service.client.pauses', {
      description: 'Responses with status 429, after which the whole client pauses.',
      unit: '{pause}',
    }),
    drifts: meter.createCounter('exam_service.client.schema_drifts', {
      description: 'Responses of unexpected shape that were only reported.',
      unit: '{response}',
    }),
    deliveries: meter.createHistogram('messaging.process.duration', {
      description: 'Duration of processing operation.',
      unit: 's',
      advice: { explicitBucketBoundaries: DURATION_BOUNDARIES },
    }),
    rejections: meter.createCounter('exam_service.webhook.rejections', {
      description: 'Deliveries that were rejected, by their reason.',
      unit: '{delivery}',
    }),
  };
}
