import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEmulator, createManualClock } from '../../src/testing/index.ts';
import { numRuns } from '../helpers/requirements.ts';
import { availableEvents } from './events.ts';
import { createCall } from './helpers.ts';
import { createModel, limits } from './model.ts';
import { commands, createCommand, importCommand, type Real } from './model-commands.ts';

const EXAMS = 2;

function createReal(): Real {
  const clock = createManualClock();
  const receiver = { fails: false };
  const emulator = createEmulator({
    clock,
    maxParticipants: limits.participants,
    maxParticipantsPerExam: limits.perExam,
    disableAfterFailures: limits.disableAfter,
    retryDelays: [limits.retryDelay],
    fetch: async () => new Response(null, { status: receiver.fails ? 500 : 204 }),
  });
  emulator.control.seedExams(EXAMS);
  return {
    emulator,
    clock,
    receiver,
    call: createCall(emulator.fetch, 'https://service.example.test/api/v1'),
  };
}

test('whatever is done, in whatever order, the emulator is in the state that the rules lead to', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 60, size: 'max' }), async (steps) => {
      const model = createModel(EXAMS);
      const real = createReal();
      await importCommand(['a@example.test', 'b@example.test', 'c@example.test']).run(model, real);
      await createCommand(availableEvents).run(model, real);
      await createCommand(availableEvents.slice(0, 2)).run(model, real);
      await fc.asyncModelRun(() => ({ model, real }), steps);
      const held = real.emulator.snapshot();
      const copy = createEmulator({ clock: createManualClock(real.clock.now()) });
      copy.restore(structuredClone(held));
      expect(copy.snapshot()).toEqual(held);
      copy.reset();
    }),
    { numRuns: numRuns(50) },
  );
});
