import fc from 'fast-check';
import { expect } from 'vitest';
import type { Emulator, ManualClock } from '../../src/testing/index.ts';
import { availableEvents } from './events.ts';
import { at, type Call } from './helpers.ts';
import { advance, announce, assign, deliver, importEmails, limits, type Model, unassign } from './model.ts';

/** The emulator under test, and the switch of its receiver. */
export interface Real {
  emulator: Emulator;
  clock: ManualClock;
  call: Call;
  receiver: { fails: boolean };
}

type Step = (model: Model, real: Real) => Promise<void>;

/** A step against both, after which the two must look alike. */
class Command implements fc.AsyncCommand<Model, Real> {
  readonly #name: string;
  readonly #step: Step;

  constructor(name: string, step: Step) {
    this.#name = name;
    this.#step = step;
  }

  check(): boolean {
    return true;
  }

  async run(model: Model, real: Real): Promise<void> {
    await this.#step(model, real);
    await real.emulator.settled();
    await expectAlike(model, real);
  }

  toString(): string {
    return this.#name;
  }
}

async function expectAlike(model: Model, { call }: Real): Promise<void> {
  const list = at((await call('GET', '/webhooks')).json, 'data');
  expect(list).toMatchObject(
    [...model.endpoints].map(([id, endpoint]) => ({
      id,
      events: endpoint.events,
      is_active: endpoint.active,
      is_disabled_by_system: endpoint.disabled,
      consecutive_failures: endpoint.failures,
    })),
  );
  for (const id of model.endpoints.keys()) {
    const history = at((await call('GET', `/webhooks/${id}/deliveries?per_page=100`)).json, 'data');
    const expected = model.deliveries.filter(({ endpoint }) => endpoint === id);
    const latest = expected.toSorted((a, b) => b.second - a.second).slice(0, 100);
    expect(history).toMatchObject(latest.map(({ endpoint: _, second: __, ...delivery }) => delivery));
  }
  const results = await call('GET', '/exam-results');
  expect(at(results.json, 'meta', 'total')).toBe(model.results);
  const participants = await call('GET', '/participants?limit=100');
  expect(at(participants.json, 'data')).toMatchObject(model.participants.map(({ email }) => ({ email })));
}

const participant = fc.integer({ min: 1, max: 4 });
const exam = fc.integer({ min: 1, max: 3 });
const endpointId = fc.integer({ min: 1, max: 4 });
const events = fc.subarray([...availableEvents], { minLength: 1 });
const email = fc.constantFrom(...['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@example.test`));

/** Imports participants of these emails. */
export function importCommand(emails: string[]): Command {
  return new Command(`import ${emails}`, async (model, { call }) => {
    const participants = emails.map((address) => ({ email: address, name: 'Name', password: 'secret' }));
    const response = await call('POST', '/participants/import', { body: { participants } });
    expect(response.status).toBe(importEmails(model, emails));
  });
}

const assigning = fc.tuple(participant, exam, fc.boolean()).map(
  ([participant_id, exam_id, away]) =>
    new Command(`${away ? 'unassign' : 'assign'} ${participant_id} ${exam_id}`, async (model, { call }) => {
      const path = `/exam-participants/${away ? 'unassign' : 'assign'}`;
      const response = await call('POST', path, { body: { participant_id, exam_id } });
      expect(response.status).toBe((away ? unassign : assign)(model, participant_id, exam_id));
      const link = await call(
        'GET',
        `/exam-participants/link?participant_id=${participant_id}&exam_id=${exam_id}`,
      );
      expect(link.status).toBe(model.assignments.has(`${participant_id}:${exam_id}`) ? 200 : 404);
    }),
);

/** Starts or finishes the exam of one of those who are registered, or of somebody who is not. */
const taking = fc.tuple(fc.nat(), fc.boolean()).map(
  ([choice, finishing]) =>
    new Command(`${finishing ? 'finish' : 'start'} ${choice}`, async (model, { emulator }) => {
      const keys = [...model.assignments.keys(), '1:3'];
      const key = keys[choice % keys.length] ?? '';
      const [participant_id = 0, exam_id = 0] = key.split(':').map(Number);
      const { control } = emulator;
      const pair = { participant_id, exam_id };
      const act = () => (finishing ? control.finishExam({ ...pair, score: 50 }) : control.startExam(pair));
      if (model.assignments.get(key) !== (finishing ? 'started' : 'assigned')) {
        expect(act).toThrow('Participant');
        return;
      }
      act();
      model.assignments.set(key, finishing ? 'finished' : 'started');
      if (!finishing) return;
      model.results += 1;
      announce(model, 'exam_result.completed');
    }),
);

const rescoring = fc.integer({ min: 1, max: 3 }).map(
  (result) =>
    new Command(`rescore ${result}`, async (model, { emulator }) => {
      if (result > model.results) {
        expect(() => emulator.control.rescore(result, 60)).toThrow('no exam result');
        return;
      }
      emulator.control.rescore(result, 60);
      announce(model, 'exam_result.scored');
    }),
);

const readying = fc.tuple(participant, fc.boolean(), fc.boolean()).map(
  ([id, active, verified]) =>
    new Command(`participant ${id} active ${active} verified ${verified}`, async (model, { emulator }) => {
      const found = model.participants[id - 1];
      if (found === undefined) return;
      emulator.control.setParticipant(id, { active, verified });
      found.ready = active && verified;
    }),
);

/** Creates an endpoint that listens to these events. */
export function createCommand(list: readonly string[]): Command {
  return new Command(`create endpoint for ${list}`, async (model, { call }) => {
    const body = { url: 'https://receiver.example.test/', events: list };
    const response = await call('POST', '/webhooks', { body });
    const room = model.endpoints.size < limits.endpoints;
    expect(response.status).toBe(room ? 201 : 422);
    if (!room) return;
    model.lastEndpoint += 1;
    model.endpoints.set(model.lastEndpoint, {
      events: [...list],
      active: true,
      disabled: false,
      failures: 0,
    });
  });
}

const updating = fc.tuple(endpointId, fc.option(fc.boolean()), fc.option(events)).map(
  ([id, active, list]) =>
    new Command(`update endpoint ${id} active ${active} events ${list}`, async (model, { call }) => {
      const body = {
        ...(active === null ? {} : { is_active: active }),
        ...(list === null ? {} : { events: list }),
      };
      const response = await call('PATCH', `/webhooks/${id}`, { body });
      const endpoint = model.endpoints.get(id);
      expect(response.status).toBe(endpoint === undefined ? 404 : 200);
      if (endpoint === undefined) return;
      if (list !== null) endpoint.events = list;
      if (active !== null) endpoint.active = active;
      if (active === true && endpoint.disabled) Object.assign(endpoint, { disabled: false, failures: 0 });
    }),
);

const deleting = endpointId.map(
  (id) =>
    new Command(`delete endpoint ${id}`, async (model, { call }) => {
      const response = await call('DELETE', `/webhooks/${id}`);
      expect(response.status).toBe(model.endpoints.delete(id) ? 200 : 404);
    }),
);

const testing = fc.tuple(endpointId, fc.constantFrom(...availableEvents)).map(
  ([id, event]) =>
    new Command(`test endpoint ${id} with ${event}`, async (model, { call }) => {
      const response = await call('POST', `/webhooks/${id}/test`, { body: { event } });
      const endpoint = model.endpoints.get(id);
      expect(response.status).toBe(endpoint === undefined ? 404 : endpoint.active ? 202 : 422);
      if (endpoint?.active === true) deliver(model, id, event);
    }),
);

const failing = fc.boolean().map(
  (fails) =>
    new Command(`receiver ${fails ? 'fails' : 'works'}`, async (model, { receiver }) => {
      model.receiverFails = fails;
      receiver.fails = fails;
    }),
);

const waiting = fc.constantFrom(1, 400, 1000, 5000).map(
  (ms) =>
    new Command(`wait ${ms}`, async (model, { clock }) => {
      advance(model, ms);
      await clock.advance(ms);
    }),
);

export const commands = [
  fc.array(email, { minLength: 1, maxLength: 3 }).map(importCommand),
  assigning,
  assigning,
  assigning,
  taking,
  taking,
  taking,
  rescoring,
  readying,
  events.map(createCommand),
  updating,
  deleting,
  testing,
  failing,
  failing,
  waiting,
  waiting,
];
