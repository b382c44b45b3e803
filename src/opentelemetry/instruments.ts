import type { Counter, Histogram, Meter } from '@opentelemetry/api';

/** What is measured. */
export interface Instruments {
  /** How long attempts took, in seconds. */
  readonly duration: Histogram;
  readonly retries: Counter;
  readonly pauses: Counter;
  readonly drifts: Counter;
  /** How long deliveries took, in seconds. */
  readonly deliveries: Histogram;
  readonly refusals: Counter;
}

/** Upper bounds in seconds, as the semantic conventions advise for both histograms. */
const DURATION_BOUNDARIES = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** Instruments that are made when they are first used: a global meter provider may be registered after the client is made. */
export function createInstruments(getMeter: () => Meter): () => Instruments {
  let instruments: Instruments | undefined;
  return () => {
    instruments ??= create(getMeter());
    return instruments;
  };
}

function create(meter: Meter): Instruments {
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
      description: 'Answers with 429 and the time to wait, for which the whole client pauses.',
      unit: '{pause}',
    }),
    drifts: meter.createCounter('exam_service.client.schema_drifts', {
      description: 'Answers of another shape than expected, where these are only reported.',
      unit: '{answer}',
    }),
    deliveries: meter.createHistogram('messaging.process.duration', {
      description: 'Duration of processing operation.',
      unit: 's',
      advice: { explicitBucketBoundaries: DURATION_BOUNDARIES },
    }),
    refusals: meter.createCounter('exam_service.webhook.refusals', {
      description: 'Deliveries that were refused, by the code of the refusal.',
      unit: '{delivery}',
    }),
  };
}
