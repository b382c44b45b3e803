import { pair, type Symptoms, withService } from './symptom.ts';

const ben = { email: 'ben@example.com', name: 'Ben Okafor', password: 'cedar-delta-225' };
const eva = { email: 'eva@example.com', name: 'Eva Lind', password: 'amber-quill-118' };

export const dataSymptoms: Symptoms = {
  'has an unknown column': () =>
    withService((client) => client.participants.importAll([{ ...ben, role: 'student' } as never])),
  'POST /participants/import failed with 400': () =>
    withService((client) => client.participants.importAll([ben, eva]), { emulated: { maxParticipants: 2 } }),
  'POST /exam-participants/assign failed with 400': () =>
    withService(async (client) => {
      await client.examParticipants.assign(pair);
      await client.examParticipants.assign(pair);
    }),
  'POST /exam-participants/unassign failed with 400': () =>
    withService(async (client, { control }) => {
      await client.examParticipants.assign(pair);
      control.startExam(pair);
      await client.examParticipants.unassign(pair);
    }),
  'GET /exam-participants/link failed with 404': () =>
    withService((client) => client.examParticipants.link(pair)),
  'POST /webhooks failed with': () =>
    withService(async (client) => {
      for (let number = 1; number <= 6; number += 1) {
        const url = `https://receiver.example.com/${number}`;
        await client.webhooks.create({ url, events: ['exam_result.completed'] });
      }
    }),
};
