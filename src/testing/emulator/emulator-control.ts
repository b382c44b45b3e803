import { assign, unassign } from './domain/assignments.ts';
import { queueTestDelivery, updateEndpoint } from './domain/endpoints.ts';
import { finishExam, rescoreResult, startExam } from './domain/exam-taking.ts';
import type { World } from './domain/world.ts';
import type { EmulatorControl } from './emulator-api.ts';
import {
  checkPair,
  seedAssignments,
  seedExams,
  seedParticipants,
  seedResults,
  seedWebhooks,
} from './seeds/seeding.ts';
import type { EndpointRecord } from './state/records.ts';

/** @param world Call it each time: a reset replaces what it returns. */
export function createControl(
  world: () => World,
  switches: Pick<EmulatorControl, 'configure' | 'setClientActive' | 'isClientActive'>,
): EmulatorControl {
  function endpointOf(id: number): EndpointRecord {
    const endpoint = world().store.endpoints.get(id);
    if (endpoint === undefined) throw new RangeError(`There is no webhook endpoint ${id}.`);
    return endpoint;
  }

  return {
    seedParticipants: (seeds) => seedParticipants(world(), seeds),
    seedExams: (seeds) => seedExams(world(), seeds),
    seedAssignments: (pairs) => seedAssignments(world(), pairs),
    seedResults: (seeds) => seedResults(world(), seeds),
    seedWebhooks: (seeds) => seedWebhooks(world(), seeds),
    participant: (id) => world().store.participants.get(id),
    assignment: (pair) => world().store.assignment(pair),
    setParticipant(id, { active, verified }) {
      const { settings, store } = world();
      const participant = store.participants.get(id);
      if (participant === undefined) throw new RangeError(`There is no participant ${id}.`);
      const now = settings.clock.now();
      const since = participant.email_verified_at;
      return store.participants.replace({
        ...participant,
        is_active: active ?? participant.is_active,
        email_verified_at: (verified ?? since !== null) ? (since ?? now) : null,
        updated_at: now,
      });
    },
    assign(pair) {
      checkPair(world().store, pair);
      return assign(world(), pair);
    },
    unassign(pair) {
      checkPair(world().store, pair);
      unassign(world(), pair);
    },
    startExam: (pair) => startExam(world(), pair),
    finishExam: ({ score = null, ...pair }) => finishExam(world(), pair, score),
    rescore: (resultId, score) => rescoreResult(world(), resultId, score),
    testDelivery: (endpointId, event) => queueTestDelivery(world(), endpointOf(endpointId), event),
    setWebhook: (endpointId, { active }) =>
      updateEndpoint(world(), endpointOf(endpointId).id, { is_active: active }),
    removeWebhook: (endpointId) => world().store.removeEndpoint(endpointOf(endpointId)),
    resend(deliveryId) {
      const { store, deliveries } = world();
      const delivery = store.delivery(deliveryId);
      if (delivery === undefined) throw new RangeError(`There is no delivery ${deliveryId}.`);
      if (!endpointOf(delivery.endpoint_id).is_active) throw new Error('The webhook endpoint is not active.');
      deliveries.resend(delivery);
    },
    ...switches,
  };
}
