import { type ClientOptions, ExamClient } from '../../../src/index.ts';
import { createEmulator, type EmulatorOptions } from '../../../src/testing/index.ts';
import { rejection, testKey } from '../../helpers/client.ts';

/** Provokes the symptoms of a table, by the part of the message that stands there, and gives what a user then sees. */
export type Symptoms = Readonly<Record<string, () => Promise<string>>>;

/** What a program prints that does not catch this. */
export async function failureOf(act: () => unknown): Promise<string> {
  return String(await rejection(Promise.resolve().then(act)));
}

/** An emulator with an exam and a participant, as the client of a user meets it. */
export async function withService(
  act: (client: ExamClient, service: ReturnType<typeof createEmulator>) => unknown,
  { given = {}, emulated = {} }: { given?: ClientOptions; emulated?: EmulatorOptions } = {},
): Promise<string> {
  const service = createEmulator({ apiKey: testKey, ...emulated });
  service.control.seedExams(1);
  service.control.seedParticipants(1);
  await using server = await service.listen();
  const shared = { baseUrl: server.url, apiKey: testKey, maxRetries: 0, logLevel: 'off' } as const;
  return await failureOf(() => act(new ExamClient({ ...shared, ...given }), service));
}

/** The first participant and the first exam. */
export const pair = { participant_id: 1, exam_id: 1 };
