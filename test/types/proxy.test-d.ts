import { describe, expectTypeOf, test } from 'vitest';
import { createProxyHandler, type ProxyCall, type ProxyOperationName } from '../../src/proxy/index.ts';

const service = { baseUrl: 'https://exams.example.test/api/v1', apiKey: 'key' };

describe('the types of the proxy', () => {
  test('know every operation of the client, and no other', () => {
    expectTypeOf<'webhooks.rotateSecret'>().toExtend<ProxyOperationName>();
    // @ts-expect-error there is no such operation
    createProxyHandler({ ...service, allow: ['exam.list'], authorize: () => true });
  });

  test('give `authorize` the parameters of the operations that are allowed', () => {
    createProxyHandler({
      ...service,
      allow: ['examResults.list', 'webhooks.update'],
      authorize(_, call) {
        expectTypeOf(call.operation).toEqualTypeOf<'examResults.list' | 'webhooks.update'>();
        if (call.operation === 'webhooks.update') {
          expectTypeOf(call.path.id).toEqualTypeOf<number>();
          expectTypeOf(call.body.is_active).toEqualTypeOf<boolean | undefined>();
          return true;
        }
        expectTypeOf(call.query.participant_id).toEqualTypeOf<number | undefined>();
        expectTypeOf(call.body).toEqualTypeOf<undefined>();
        return { query: { participant_id: 7 } };
      },
    });
    expectTypeOf<ProxyCall<'examParticipants.assign'>['body']['exam_id']>().toEqualTypeOf<
      number | undefined
    >();
  });

  test('reject a forced parameter that the operations do not have', () => {
    createProxyHandler({
      ...service,
      allow: ['examResults.list'],
      // @ts-expect-error the name of the service is participant_id
      authorize: () => ({ query: { participantId: 7 } }),
    });
  });
});
