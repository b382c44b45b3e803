import { describe, expect, test } from 'vitest';
import { ConfigurationError, ConnectionError, type Fetch } from '../../../src/index.ts';
import { createClient, failure } from '../../helpers/client.ts';

const failed =
  (cause: unknown): Fetch =>
  async () => {
    throw new TypeError('fetch failed', { cause });
  };

const systemError = (details: object, message = 'failed') => Object.assign(new Error(message), details);

async function assignThrough(cause: unknown) {
  let calls = 0;
  const fetch: Fetch = (...request) => {
    calls += 1;
    return failed(cause)(...request);
  };
  const client = createClient({ url: 'https://h.test' }, { fetch, maxRetries: 1 });
  const error = await failure(
    client.examParticipants.assign({ participant_id: 1, exam_id: 2 }),
    ConnectionError,
  );
  return { error, calls };
}

describe('an assignment that never left is told by evidence', () => {
  test.each([
    ['the system call connect', systemError({ code: 'ETIMEDOUT', syscall: 'connect' })],
    ['the system call connect of any code', systemError({ code: 'EHOSTUNREACH', syscall: 'connect' })],
    ['the system call getaddrinfo', systemError({ code: 'EAI_FAIL', syscall: 'getaddrinfo' })],
    [
      'connect for every address',
      new AggregateError([
        systemError({ code: 'ECONNREFUSED', syscall: 'connect' }),
        systemError({ code: 'ENETUNREACH', syscall: 'connect' }),
      ]),
    ],
  ])('%s: it is sent again', async (_, cause) => {
    const { error, calls } = await assignThrough(cause);
    expect(error).toMatchObject({ outcome: 'not_sent', retryable: true });
    expect(calls).toBe(2);
  });

  test.each([
    ['a certificate that has expired', systemError({ code: 'CERT_HAS_EXPIRED' }), 'NODE_EXTRA_CA_CERTS'],
    ['a self-signed one', systemError({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }), 'NODE_EXTRA_CA_CERTS'],
    ['one of another host', systemError({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }), 'NODE_EXTRA_CA_CERTS'],
    [
      'one of an unknown authority',
      systemError({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }),
      'NODE_EXTRA_CA_CERTS',
    ],
    [
      'TLS against a plain port',
      systemError(
        { code: 'ERR_SSL_WRONG_VERSION_NUMBER' },
        'C0:error:0A00010B:SSL routines:tlsany_meth.c:77:\n',
      ),
      'tlsany_meth.c:77. This port does not speak TLS',
    ],
    ['a port that fetch blocks', new Error('bad port'), 'Fetch refuses the address'],
    [
      'a port that Deno blocks',
      new Error('Fetch failed: Requests to port 1 are blocked'),
      'Fetch refuses the address',
    ],
    ['a port of several digits', new Error('requests to port 6000 are blocked'), 'Fetch refuses the address'],
    [
      'a host that Deno may not reach',
      new Error('Requires net access to "h.test:443", run again with the --allow-net flag'),
      'Fetch refuses the address',
    ],
    [
      'a header that fetch refuses',
      systemError({ code: 'UND_ERR_INVALID_ARG' }, 'invalid connection header'),
      'Fetch refuses the address',
    ],
    [
      'a dispatcher of another undici',
      systemError({ code: 'UND_ERR_INVALID_ARG' }, 'invalid onRequestStart method'),
      '`fetchOptions`',
    ],
    [
      'a header that Node refuses',
      systemError({ code: 'ERR_INVALID_CHAR' }, 'Invalid character in content'),
      'Fetch refuses the address',
    ],
  ])('%s: it is not sent again, and the message says what to do', async (_, cause, advice) => {
    const { error, calls } = await assignThrough(cause);
    expect(error).toMatchObject({ outcome: 'not_sent', retryable: false });
    expect(error.message).toContain(advice);
    expect(calls).toBe(1);
  });

  test.each([
    ['a reset', systemError({ code: 'ECONNRESET', syscall: 'read' })],
    [
      'one address refused and one reset',
      new AggregateError([
        systemError({ code: 'ECONNREFUSED', syscall: 'connect' }),
        systemError({ code: 'ECONNRESET', syscall: 'read' }),
      ]),
    ],
    ['an answer that Deno cannot parse', new Error('client error (SendRequest): invalid HTTP header parsed')],
    [
      'an answer that undici cannot parse',
      new Error('Response does not match the HTTP/1.1 protocol (Invalid header token)'),
    ],
    [
      'a certificate that the service asks for',
      systemError({ code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' }),
    ],
    ['words alone beside a code', systemError({ code: 'EPROXY' }, 'connection refused')],
    ['a bad port, said beside a code', systemError({ code: 'EPROXY' }, 'bad port')],
    ['a blocked port, said beside a code', systemError({ code: 'EPROXY' }, 'requests to port 1 are blocked')],
    ['a bad port of somebody else', new Error('the proxy has a bad port')],
    ['a bad port among other words', new Error('bad port in the answer')],
    ['a blocked port of somebody else', new Error('the proxy says: requests to port 1 are blocked')],
    ['access that something else requires', new Error('the proxy requires net access')],
    ['an error of no addresses', new AggregateError([])],
  ])('%s leaves it open', async (_, cause) => {
    const { error, calls } = await assignThrough(cause);
    expect(error).toMatchObject({ outcome: 'unknown', retryable: false });
    expect(calls).toBe(1);
  });
});

test.each(['Host', 'connection', 'Content-Length', 'expect', 'Transfer-Encoding'])(
  'the header %s is refused before anything is sent, since the connection decides it',
  async (name) => {
    const call = createClient({ url: 'https://h.test' }).exams.list({}, { headers: { [name]: 'x' } });
    const error = await failure(call, ConfigurationError);
    expect(error.message).toBe(`\`headers\` must not contain ${name}, which the connection decides.`);
  },
);

test('an error that stands many times below itself is looked at a hundred times at most', async () => {
  let looks = 0;
  const hostile = Object.defineProperty(new Error('again'), 'syscall', {
    get() {
      looks += 1;
      return 'write';
    },
  });
  const below = Array.from({ length: 8 }, () => hostile);
  const { error } = await assignThrough(Object.assign(hostile, { errors: below }));
  expect(error).toMatchObject({ outcome: 'unknown', retryable: false });
  expect(looks).toBeLessThanOrEqual(100);
});
