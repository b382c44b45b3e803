import { createEmulator } from 'exam-service-sdk/testing';

/** What the examples work with: the service that the environment names, or an emulator of it on this machine. */
export interface Service {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Lets participants take an exam; `null` where real people have to. */
  readonly takeExam: ((exam: number, participants: ReadonlyArray<number>) => void) | null;
  close(): Promise<void>;
}

/** Uses `EXAM_SERVICE_BASE_URL` and `EXAM_SERVICE_API_KEY` when both are set, else starts an emulator. */
export async function connectService(): Promise<Service> {
  const { EXAM_SERVICE_BASE_URL: baseUrl, EXAM_SERVICE_API_KEY: apiKey } = process.env;
  if (baseUrl && apiKey) return { baseUrl, apiKey, takeExam: null, close: async () => {} };

  const emulator = createEmulator({ apiKey: 'quickstart-key' });
  emulator.control.seedExams([{ name: 'Mathematics, first term', name_short: 'MATH-1' }]);
  const server = await emulator.listen();
  return {
    baseUrl: server.url,
    apiKey: 'quickstart-key',
    takeExam(exam, participants) {
      for (const [index, participant] of participants.entries()) {
        const pair = { participant_id: participant, exam_id: exam };
        emulator.control.startExam(pair);
        emulator.control.finishExam({ ...pair, score: 55 + ((index * 37) % 90) / 2 });
      }
    },
    close: () => server.close(),
  };
}
