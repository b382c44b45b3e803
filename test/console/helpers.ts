import { type Service, startServer } from '../emulator/helpers.ts';

/** Address of the console of a service. */
export const consoleUrl = ({ url }: Service): string => `${new URL(url).origin}/`;

/** Some of everything, also what tries to be more than text. */
export const hostileName = '<img src=x onerror="document.title=1">';

/** An emulator with four participants, two exams, three assignments and two endpoints, the second one failing. */
export async function startFilled(): Promise<Service> {
  const service = await startServer({
    fetch: async (url) =>
      url.includes('failing')
        ? new Response('<b>queue full</b>', { status: 500 })
        : new Response(null, { status: 204 }),
  });
  const { control } = service.emulator;
  control.seedParticipants([
    { name: 'Ana Putri', email: 'ana@example.test', password: 'amber-birch-174' },
    { name: 'Kofi Eriksen', email: 'kofi@example.test', active: false },
    { name: hostileName, email: 'img@example.test', verified: false },
    { name: 'Mei Lin', email: 'mei@example.test' },
  ]);
  control.seedExams([
    { name: 'Mathematics', name_short: 'MATH-1' },
    { name: 'English', name_short: 'ENG-R' },
  ]);
  control.seedAssignments([
    { participant_id: 1, exam_id: 1 },
    { participant_id: 3, exam_id: 1 },
    { participant_id: 4, exam_id: 2 },
  ]);
  for (const path of ['hooks', 'failing']) {
    await service.call('POST', '/webhooks', {
      body: { url: `https://receiver.example.test/${path}`, events: ['exam_result.completed'] },
    });
  }
  return service;
}

/** Lets a participant take an exam, and waits for the deliveries that follow. */
export async function takeExam(service: Service, participant_id: number, exam_id: number): Promise<void> {
  service.emulator.control.startExam({ participant_id, exam_id });
  service.emulator.control.finishExam({ participant_id, exam_id, score: 72.5 });
  await service.emulator.settled();
}
