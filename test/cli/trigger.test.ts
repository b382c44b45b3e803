import { describe, expect, test } from 'vitest';
import { createEndpoint, createReceiver, startServer } from '../emulator/helpers.ts';
import { startCli } from './helpers.ts';

async function startListened() {
  const receiver = createReceiver();
  const service = await startServer({ fetch: receiver.fetch });
  const { id } = await createEndpoint(service, ['exam_result.completed', 'exam_participant.registered']);
  const trigger = async (...args: string[]) => {
    const run = startCli(['trigger', ...args], {
      env: { EXAM_SERVICE_API_KEY: 'test-key', EXAM_SERVICE_BASE_URL: service.url },
    });
    const code = await run.exitCode;
    await service.emulator.settled();
    return { code, stdout: run.stdout, stderr: run.stderr };
  };
  return { ...service, receiver, id: String(id), trigger };
}

describe('trigger', () => {
  test.each([
    ['the event first', (id: string) => ['exam_participant.registered', '--endpoint', id]],
    ['the event last', (id: string) => ['--endpoint', id, 'exam_participant.registered']],
  ])('has the service send the event, with %s', async (_, args) => {
    await using service = await startListened();
    const { code, stdout, stderr } = await service.trigger(...args(service.id));
    expect(stderr).toBe('');
    expect(stdout).toBe(
      'The service has queued a test delivery of exam_participant.registered to endpoint 1.\n',
    );
    expect(code).toBe(0);
    expect(service.receiver.received).toMatchObject([{ json: { event: 'exam_participant.registered' } }]);
  });

  test('with --json writes JSON', async () => {
    await using service = await startListened();
    const { stdout } = await service.trigger('exam_result.completed', '--endpoint', service.id, '--json');
    expect(JSON.parse(stdout)).toEqual({ type: 'queued', event: 'exam_result.completed', endpoint_id: 1 });
  });

  test('rejects an event that the service does not have, as it would send another one', async () => {
    await using service = await startListened();
    const { code, stderr } = await service.trigger('exam_result.complete', '--endpoint', service.id);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^The service has no event exam_result\.complete; its events are: exam_participant\.registered, /,
    );
    expect(service.receiver.received).toEqual([]);
  });

  test('warns of an event that the endpoint is not subscribed to', async () => {
    await using service = await startListened();
    const { code, stderr } = await service.trigger('exam_result.scored', '--endpoint', service.id);
    expect(code).toBe(0);
    expect(stderr).toBe('Endpoint 1 is not subscribed to exam_result.scored, so it may not be delivered.\n');
  });

  test('says that an endpoint is not active, or not there', async () => {
    await using service = await startListened();
    await service.call('PATCH', '/webhooks/1', { body: { is_active: false } });
    const inactive = await service.trigger('exam_result.completed', '--endpoint', '1');
    expect(inactive).toMatchObject({ code: 1, stderr: expect.stringContaining('Endpoint 1 is not active') });
    const missing = await service.trigger('exam_result.completed', '--endpoint', '2');
    expect(missing).toMatchObject({
      code: 1,
      stderr: 'There is no webhook endpoint 2; the existing ones are: 1.\n',
    });
  });

  test.each([
    [['--endpoint', '1'], 'The event, such as exam_result.completed, is missing.'],
    [['exam_result.completed'], '--endpoint, the id of a webhook endpoint, is missing.'],
    [['exam_result.completed', 'again', '--endpoint', '1'], 'Unexpected argument again.'],
  ])('%j is a wrong call', async (args, words) => {
    await using service = await startListened();
    const { code, stderr } = await service.trigger(...args);
    expect(code).toBe(2);
    expect(stderr.split('\n')[0]).toBe(words);
  });

  test('a key that is rejected ends it with the words of the service, without the key', async () => {
    await using service = await startListened();
    const args = ['exam_result.completed', '--endpoint', '1', '--api-key', 'wrong-key'];
    const { code, stderr } = await service.trigger(...args);
    expect(code).toBe(1);
    expect(stderr).toContain('401');
    expect(stderr).not.toContain('wrong-key');
  });
});
