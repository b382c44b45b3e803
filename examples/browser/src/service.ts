// The client of the page: it has no key, and schemas for the fields that the page shows.

import { ExamClient } from 'exam-service-sdk';
import * as z from 'zod/mini';

const text = z.nullish(z.string());
const named = z.nullish(z.looseObject({ id: z.int(), name: text }));

/**
 * What this page reads of an exam and of a result. The service does not document these fields, so none is
 * relied on but the id.
 */
const exam = z.looseObject({ id: z.int(), name: text, name_short: text });
const examResult = z.looseObject({
  participant: named,
  exam: named,
  status_label: text,
  score: z.nullish(z.number()),
  end_at: text,
});

export type Exam = z.infer<typeof exam>;
export type ExamResult = z.infer<typeof examResult>;

/** Without a key: the proxy, on the page's own origin, adds it. */
export const client = new ExamClient({
  baseUrl: new URL('/api/v1', location.origin).href,
  apiKey: null,
  maxRetries: 1,
  schemas: { exam, examResult },
});
