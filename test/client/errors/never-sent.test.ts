import { describe, expect, test, vi } from 'vitest';
import { ConfigurationError, ConnectionError, type Fetch } from '../../../src/index.ts';
import { createClient, failure, nowhere } from '../../helpers/client.ts';

const systemError = (details: object, message = 'failed') => Object.assign(new Error(message), details);
const ofCall = (syscall: string, code: string) => systemError({ syscall, code });
const wrongVersion = 'ERR_SSL_WRONG_VERSION_NUMBER';

async function assignThrough(cause: unknown) {
  const fetch = vi.fn<Fetch>(() => Promise.reject(new TypeError('fetch failed', { cause })));
  const client = createClient(nowhere, { fetch, maxRetries: 1 });
  const call = client.examParticipants.assign({ participant_id: 1, exam_id: 2 });
  return { error: await failure(call, ConnectionError), calls: fetch.mock.calls.length };
}

test.each(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])(
  'a time limit of the platform (%s) says nothing of the request, and the message names it',
  async (code) => {
    const { error, calls } = await assignThrough(systemError({ code }, 'Headers Timeout Error'));
    expect(error).toMatchObject({ outcome: 'unknown', retryable: false });
    expect(error.message).toMatch(/`fetch`.+300 s.+`timeout`.+`dispatcher`/);
    expect(error.message).not.toContain('base URL');
    expect(calls).toBe(1);
  },
);

describe('what a custom fetch throws after sending does not undo the outcome:', () => {
  const others = {
    'a ConfigurationError of its own': new ConfigurationError('`secret` is missing.'),
    'one of another call': new ConfigurationError('other', {}, { outcome: 'not_sent', retryable: true }),
  };

  test.each(Object.entries(others))('%s', async (_, thrown) => {
    const fetch = vi.fn<Fetch>(() => Promise.reject(thrown));
    const client = createClient(nowhere, { fetch, maxRetries: 2 });
    const error = await failure(
      client.examParticipants.assign({ participant_id: 1, exam_id: 2 }),
      ConnectionError,
    );
    const cause = { name: 'ConfigurationError', message: thrown.message };
    expect(error).toMatchObject({ outcome: 'unknown', retryable: false, cause });
    expect(fetch).toHaveBeenCalledOnce();
  });
});

describe('an assignment that never left is known by evidence', () => {
  test.each([
    ['the system call connect', ofCall('connect', 'ETIMEDOUT')],
    ['the system call connect of any code', ofCall('connect', 'EHOSTUNREACH')],
    ['the system call getaddrinfo', ofCall('getaddrinfo', 'EAI_FAIL')],
    [
      'connect for every address',
      new AggregateError([ofCall('connect', 'ECONNREFUSED'), ofCall('connect', 'ENETUNREACH')]),
    ],
  ])('%s: it is sent again', async (_, cause) => {
    const { error, calls } = await assignThrough(cause);
    expect(error).toMatchObject({ outcome: 'not_sent', retryable: true });
    expect(calls).toBe(2);
  });

  const plainPort = 'C0:error:0A00010B:SSL routines:tlsany_meth.c:77:\n';

  test.each<[what: string, code: string, advice: string, message?: string]>([
    ['a self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'NODE_EXTRA_CA_CERTS'],
    ['one of an unknown authority', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'NODE_EXTRA_CA_CERTS'],
    ['one of an unknown issuer', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'NODE_EXTRA_CA_CERTS'],
    ['one that has expired', 'CERT_HAS_EXPIRED', 'clock of this machine'],
    ['one of another host', 'ERR_TLS_CERT_ALTNAME_INVALID', 'check the base URL'],
    ['one that was revoked', 'CERT_REVOKED', 'certificate of the service was rejected'],
    [
      'TLS against a plain port',
      wrongVersion,
      `${wrongVersion}. This port does not speak TLS: check the scheme`,
      plainPort,
    ],
    [
      'a header fetch rejects',
      'UND_ERR_INVALID_ARG',
      'Fetch rejects the address',
      'invalid connection header',
    ],
    [
      'a dispatcher of another undici',
      'UND_ERR_INVALID_ARG',
      '`fetchOptions`',
      'invalid onRequestStart method',
    ],
    [
      'a header that Node rejects',
      'ERR_INVALID_CHAR',
      'Fetch rejects the address',
      'Invalid character in content',
    ],
  ])('%s: it is not sent again, and the message says what to do', async (_, code, advice, message) => {
    const { error, calls } = await assignThrough(systemError({ code }, message));
    expect(error).toMatchObject({ outcome: 'not_sent', retryable: false });
    expect(error.message).toContain(advice);
    if (advice !== 'NODE_EXTRA_CA_CERTS') expect(error.message).not.toContain('NODE_EXTRA_CA_CERTS');
    expect(calls).toBe(1);
  });

  test('the raw text of OpenSSL is in the cause alone', async () => {
    for (const text of [plainPort, '']) {
      const { error } = await assignThrough(systemError({ code: wrongVersion }, text));
      expect(error.message).toMatch(/: ERR_SSL_WRONG_VERSION_NUMBER\. This .* base URL\.$/);
      expect(error.cause).toMatchObject({ cause: { message: text } });
    }
  });

  test('a tunnel that the proxy does not open: it is sent again, and the message names the proxy', async () => {
    const { error, calls } = await assignThrough(
      systemError({ code: 'ERR_PROXY_TUNNEL' }, 'Proxy refused: 407'),
    );
    expect(error).toMatchObject({ outcome: 'not_sent', retryable: true });
    expect(error.message).toContain('credentials of your proxy');
    expect(calls).toBe(2);
  });

  test('a cause without words leaves it open, and the message names the proxy', async () => {
    const { error } = await assignThrough(new Error(''));
    expect(error).toMatchObject({ outcome: 'unknown', retryable: false });
    expect(error.message).toContain('proxy');
  });

  test.each([
    ['a reset', ofCall('read', 'ECONNRESET')],
    [
      'one address refused and one reset',
      new AggregateError([ofCall('connect', 'ECONNREFUSED'), ofCall('read', 'ECONNRESET')]),
    ],
    ['a header that Deno cannot parse', new Error('client error (SendRequest): invalid HTTP header parsed')],
    [
      'a response that undici cannot parse',
      new Error('Response does not match the HTTP/1.1 protocol (Invalid header token)'),
    ],
    [
      'a certificate that the service asks for',
      systemError({ code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' }),
    ],
    ['words alone beside a code', systemError({ code: 'EPROXY' }, 'connection refused')],
    ['a port that fetch blocks, said in words alone', new Error('bad port')],
    ['an error of no addresses', new AggregateError([])],
  ])('%s leaves it open', async (_, cause) => {
    const { error, calls } = await assignThrough(cause);
    expect(error).toMatchObject({ outcome: 'unknown', retryable: false });
    expect(calls).toBe(1);
  });
});

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
