// Keeps a client in the stores of page frameworks, and uses it from there.
import { ExamClient } from 'exam-service-sdk';
import { makeAutoObservable, observable } from 'mobx';
import { reactive, ref, shallowReactive } from 'vue';
import { equal, runSteps } from './steps.js';

const record = { id: 3, url: 'https://receiver.test/', events: ['exam_result.scored'], is_active: true };
const state = { disabled_at: null, last_success_at: null, last_failure_at: null, description: null };
const endpoint = { ...record, ...state, is_disabled_by_system: false, consecutive_failures: 0 };

async function fetch(url) {
  const { pathname } = new URL(url);
  if (pathname.endsWith('/webhooks'))
    return Response.json({ data: [{ ...endpoint, created_at: '2026-01-01T00:00:00Z' }] });
  return Response.json(pathname.endsWith('/link') ? { url: 'https://exam.test/a' } : { data: [{ id: 3 }] });
}

const create = () => new ExamClient({ baseUrl: 'https://host.test/api/v1', apiKey: 'test-key-1234', fetch });

class Store {
  client = create();

  constructor() {
    makeAutoObservable(this);
  }
}

/** A client, as each store gives it back. */
const kept = {
  'Vue ref': () => ref(create()).value,
  'Vue reactive': () => reactive({ client: create() }).client,
  'Vue shallowReactive': () => shallowReactive(create()),
  'MobX observable': () => observable({ client: create() }).client,
  'MobX makeAutoObservable': () => new Store().client,
  'a Proxy': () => new Proxy(create(), {}),
};

async function use(client) {
  equal((await client.exams.list()).data[0].id, 3, 'a list');
  equal((await client.exams.list().toArray({ maxItems: 5 })).length, 1, 'a whole list');
  equal((await client.examParticipants.link({ participant_id: 1, exam_id: 2 })).url.length, 19, 'a link');
  const { created } = await client.webhooks.ensure({ url: record.url, events: record.events });
  equal(created, false, 'an endpoint that was created');
  const rows = [{ email: 'ana@example.test', name: 'Ana', password: 'cedar-delta' }];
  equal((await client.participants.importAll(rows)).imported, 1, 'imported people');
  const custom = { method: 'GET', path: '/exams', auth: 'clientKey' };
  equal((await client.request(custom)).data[0].id, 3, 'a request');
  equal((await client.withOptions({ timeout: 1_000 }).exams.list()).data.length, 1, 'another client');
}

const steps = Object.fromEntries(Object.entries(kept).map(([name, keep]) => [name, () => use(keep())]));
console.log(JSON.stringify(await runSteps(steps)));
