// The participants, exams and addresses in the examples of openapi.json.

/** What the examples are about. */
export const pair = { participant_id: 7, exam_id: 3 };
export const free = { participant_id: 8, exam_id: 4 };
export const nobody = { participant_id: 99, exam_id: 3 };
export const receiver = { url: 'https://receiver.example.test/hooks', events: ['exam_result.completed'] };
export const row = { email: 'ada@example.test', name: 'Ada Lovelace', password: 'correct-horse-battery' };
