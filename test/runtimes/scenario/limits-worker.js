import { ExamClient } from 'exam-service-sdk';

/** One client for all requests of the isolate, as the documents advise. */
let client;

export const worker = {
  async fetch(request, { BASE_URL, MAX_CONCURRENCY }) {
    client ??= new ExamClient({
      baseUrl: BASE_URL,
      apiKey: 'key',
      ...(MAX_CONCURRENCY && { maxConcurrency: MAX_CONCURRENCY }),
    });
    const id = Number(new URL(request.url).pathname.slice(1));
    return Response.json(await client.exams.retrieve(id));
  },
};
