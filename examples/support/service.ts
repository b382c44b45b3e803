import { createEmulator, type Fault } from 'exam-service-sdk/testing';
import { giveUp } from './give-up.ts';

/** What the examples work with: the service that the environment names, or an emulator of it on this machine. */
export interface Service {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Lets participants take an exam; `null` where real people have to. */
  readonly takeExam: ((exam: number, participants: ReadonlyArray<number>) => void) | null;
  close(): Promise<void>;
}

/** What an emulator is to hold at first. */
export interface Stock {
  /** Participants that are there already. @default 0 */
  readonly participants?: number;
  /** Whether each of them has a result. @default false */
  readonly results?: boolean;
  /** What goes wrong with its requests. @default nothing */
  readonly faults?: readonly Fault[];
  /** The argument that a program needs before it changes anything on a real service; left out once it is given. */
  readonly missing?: string | false;
}

/**
 * Uses `EXAM_SERVICE_BASE_URL` and `EXAM_SERVICE_API_KEY`, or starts an emulator when neither is set; prints which. One without
 * the other is a mistake: whoever meant the real service would take the success of the emulator for its own.
 */
export async function connectService(stock: Stock = {}): Promise<Service> {
  const { participants = 0, results = false, faults = [], missing = false } = stock;
  const { EXAM_SERVICE_BASE_URL: baseUrl, EXAM_SERVICE_API_KEY: apiKey } = process.env;
  if (baseUrl && apiKey) {
    if (missing) giveUp(`${missing} is missing: this changes data of ${baseUrl}.`);
    console.log(`Service: ${baseUrl}`);
    return { baseUrl, apiKey, takeExam: null, close: async () => {} };
  }
  if (baseUrl || apiKey) {
    const missing = baseUrl ? 'EXAM_SERVICE_API_KEY' : 'EXAM_SERVICE_BASE_URL';
    giveUp(`${missing} is missing: set it as well, or neither for an emulator on this machine.`);
  }

  const emulator = createEmulator({ apiKey: 'quickstart-key' });
  emulator.control.seedExams([{ name: 'Mathematics, first term', name_short: 'MATH-1' }]);
  const people = emulator.control.seedParticipants(participants);
  if (results) {
    emulator.control.seedResults(
      people.map(({ id }) => ({ participant_id: id, exam_id: 1, score: 40 + ((id * 37) % 120) / 2 })),
    );
  }
  for (const fault of faults) emulator.faults.inject(fault);
  const server = await emulator.listen();
  console.log(`Service: ${server.url} (an emulator on this machine)`);
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
