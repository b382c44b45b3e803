import { describe, expect, test } from 'vitest';
import { AssignmentsStoppedError, type Fetch } from '../../../src/index.ts';
import { createClient, failure } from '../../helpers/client.ts';
import { skipWaits } from '../../helpers/fake-time.ts';
import { startService } from '../../helpers/server.ts';
import { rowsOf, sentIn, startImports } from './helpers.ts';

skipWaits();

const modes = ['stop', 'reject', 'bisect'] as const;
const page = (status: number) => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: `<html><head><title>${status} from the gateway</title></head></html>`,
});

describe('a page of a gateway', () => {
  test.each([400, 401, 403, 404, 405, 409, 422, 429])(
    'with %i stops an import in every mode, resumable, and rejects no row',
    async (status) => {
      for (const failedBatches of modes) {
        await using service = await startImports((_, { number }) =>
          number === 2 ? page(status) : { status: 201 },
        );
        const error = await service.stopped(rowsOf(60), { failedBatches });
        expect(error).toMatchObject({ resumeFrom: 25, retryable: true, outcome: 'rejected' });
        expect(error.summary).toMatchObject({ imported: 25, rejected: 0 });
        const rest = await service.participants.importAll(rowsOf(60), { resumeFrom: error.resumeFrom });
        expect(rest).toMatchObject({ imported: 35 });
      }
    },
  );

  test.each(modes)('or a bare response with 413 for a single row is about it: %s', async (failedBatches) => {
    for (const response of [page(413), { status: 413 }]) {
      await using service = await startImports((request) =>
        sentIn(request).includes(7) ? response : { status: 201 },
      );
      const options = { failedBatches, maxOutage: 3_600_000 };
      if (failedBatches !== 'stop') {
        const { imported, rejections } = await service.participants.importAll(rowsOf(60), options);
        expect([imported, rejections.map(({ index }) => index)]).toEqual([59, [7]]);
      } else {
        expect(await service.stopped(rowsOf(60), options)).toMatchObject({ resumeFrom: 7, retryable: false });
        expect(service.server.requests.filter((request) => sentIn(request).join() === '7')).toHaveLength(1);
      }
    }
  });

  test.each([
    ['400, as for plain http to a port of TLS', page(400)],
    ['422 as plain text', { status: 422, body: 'no' }],
  ])('with %s stops assignAll immediately, and fails no pair', async (_, response) => {
    await using server = startService(response);
    const pairs = Array.from({ length: 200 }, (__, index) => ({ participant_id: index + 1, exam_id: 1 }));
    const job = createClient(server).examParticipants.assignAll(pairs);
    const error = await failure(job, AssignmentsStoppedError);
    expect(error).toMatchObject({
      resumeFrom: 0,
      retryable: false,
      outcome: 'rejected',
      summary: { processed: 0 },
    });
    expect(server.requests.length).toBeLessThanOrEqual(8);
  });

  test('about a link settles nothing', async () => {
    const fetch: Fetch = async (url) =>
      url.includes('/link') ? new Response('<html>', { status: 404 }) : Response.json({}, { status: 400 });
    const { examParticipants } = createClient({ url: 'https://h.test' }, { fetch });
    const error = await failure(
      examParticipants.assignAll([{ participant_id: 1, exam_id: 1 }]),
      AssignmentsStoppedError,
    );
    expect(error).toMatchObject({ resumeFrom: 0, summary: { failed: 0 } });
  });
});
