// Sample exams, participants and results for the emulator behind the page.

import type { EmulatorControl } from 'exam-service-sdk/testing';

const exams = [
  ['Mathematics, first term', 'MATH-1'],
  ['Mathematics, second term', 'MATH-2'],
  ['English, reading', 'ENG-R'],
  ['English, writing', 'ENG-W'],
  ['Biology', 'BIO'],
  ['Chemistry', 'CHEM'],
  ['Physics', 'PHYS'],
  ['History of the 20th century', 'HIST-20'],
  ['Geography', 'GEO'],
  ['Computer science', 'CS'],
  ['Music theory', 'MUS'],
] as const;

const givenNames = 'Ana Kofi Mei Lars Noor Tomás Aisha Ravi Elif Jonas'.split(' ');
const familyNames = 'Putri Eriksen Lin Okafor Haddad Silva Novak Iyer Demir Weber'.split(' ');

const participants = 60;
/** The last exam has not been taken yet, so that an empty list can be seen too. */
const taken = exams.length - 1;
const HOUR = 3_600_000;

/** Fills an emulator with what a year at a school may leave: always the same. */
export function addSampleData(control: EmulatorControl, now = Date.now()): void {
  control.seedExams(exams.map(([name, name_short]) => ({ name, name_short })));
  const people = control.seedParticipants(
    Array.from({ length: participants }, (_, index) => {
      const given = givenNames[index % givenNames.length];
      const family = familyNames[(index * 7 + Math.floor(index / 10)) % familyNames.length];
      return { name: `${given} ${family}`, email: `participant${index + 1}@school.example` };
    }),
  );
  const random = createRandom(7);
  const results = people.flatMap(({ id }) =>
    Array.from({ length: taken }, (_, index) => index + 1)
      .filter((exam) => (id + exam) % 3 !== 0)
      .map((exam_id) => {
        const end_at = now - Math.floor(random() * 90 * 24) * HOUR;
        return { participant_id: id, exam_id, score: drawScore(random), end_at: new Date(end_at) };
      }),
  );
  control.seedResults(results.sort((a, b) => Number(b.end_at) - Number(a.end_at)));
}

/** Around 68, as many good ones as bad ones. */
function drawScore(random: () => number): number {
  const bell = (random() + random() + random() + random()) / 4;
  return Math.round((22 + bell * 92 > 100 ? 100 : 22 + bell * 92) * 4) / 4;
}

/** A linear congruential generator: numbers from 0 to 1 that look random enough. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
