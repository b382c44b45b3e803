import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError, type ExamServiceError, ResponseValidationError } from '../../../src/index.ts';
import { createClient, failure } from '../../helpers/client.ts';
import { type ImportAnswer, importing, inPhp, json, printed } from '../../helpers/secrets.ts';

describe('keys, paths and numbers stay', () => {
  test('where the password is the name of a field', async () => {
    const errors = { 'participants.0.password': ['The participants.0.password is password.'] };
    const error = await importing('password', json({ message: 'Weak password', errors }));
    expect(error).toMatchObject({
      message: expect.stringContaining('Weak [redacted]. Fields: participants.0.password.'),
      fieldErrors: { 'participants.0.password': ['The participants.0.password is [redacted].'] },
      body: expect.stringContaining(
        '{"participants.0.password":["The participants.0.password is [redacted]."]}',
      ),
    });
  });

  test('where the password is a number that names a row, a status and a count', async () => {
    const errors = { 'participants.422.email': ['participants.422.email is taken, not 422'] };
    const error = await importing('422', json({ message: 'No', errors, rows: [422], at: { 422: 422 } }));
    expect(error.message).toContain('was answered with 422: No. Fields: participants.422.email.');
    expect(error).toMatchObject({
      status: 422,
      fieldErrors: { 'participants.422.email': ['participants.422.email is taken, not [redacted]'] },
      body: expect.stringMatching(/"rows":\[422\],"at":\{"422":422\}/),
    });
  });

  test('so that a row keeps its reason in an import whose password is its index', async () => {
    const errors = { 'participants.0.email': ['is taken'] };
    const fetch = async () => Response.json({ errors }, { status: 422 });
    const client = createClient({ url: 'https://h.test' }, { fetch });
    const row = { email: 'a@b.test', name: 'Ada', password: '000' };
    const { rejected } = await client.participants.importAll([row], { onBatchError: 'bisect' });
    expect(rejected).toMatchObject([{ index: 0, reason: expect.stringContaining('is taken') }]);
  });

  test.each(['answered', 'participants', 'import', '422', 'Fields', 'with', 'request id', 'POST'])(
    'and the words of this package stay where the password is %s',
    async (password) => {
      const answer = { ...json({ errors: { email: ['x'] } }), headers: { 'X-Request-Id': 'r-1' } };
      const { message } = await importing(password, answer);
      expect(message).toBe(
        'participants.import: POST /participants/import was answered with 422: Unprocessable Content. Fields: email. (request id r-1)',
      );
    },
  );

  test.each(['schema', 'refused', 'invalid_type'])(
    'and those about an answer of another shape where it is %s',
    async (password) => {
      const validate = () => ({
        issues: [{ message: `not ${password}`, code: 'invalid_type', path: ['name'] }],
      });
      const schema = { '~standard': { version: 1, vendor: 'test', validate } } as const;
      const client = createClient({ url: 'https://h.test' }, { fetch: async () => Response.json({ a: 1 }) });
      const request = { method: 'POST', path: '/x', auth: 'bearer', body: { password }, schema } as const;
      const error = await failure(client.request(request), ResponseValidationError);
      expect(error.message).toContain('name is rejected by the given schema (invalid_type)');
      expect(error.issues).toEqual([{ path: 'name', message: 'not [redacted]' }]);
    },
  );
});

const toUtf8 = (text: string) => Buffer.from(text).toString('latin1');
const html = (text: string, quote: string, apostrophe: string) =>
  text
    .replace(/[&<>]/g, (char) => ({ '&': '&amp;', '<': '&lt;' })[char] ?? '&gt;')
    .replaceAll('"', quote)
    .replaceAll("'", apostrophe);

/** The notations in which a service may echo. */
const encoders: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  'JSON of PHP': (text) => inPhp(text).slice(1, -1),
  'HTML of PHP': (text) => html(text, '&quot;', '&#039;'),
  'HTML of Go': (text) => html(text, '&#34;', '&#39;'),
  'HTML of Python': (text) => html(text, '&quot;', '&#x27;'),
  XML: (text) => html(text, '&quot;', '&apos;'),
  'a URL': (text) => encodeURIComponent(text),
  'a whole URL': (text) => encodeURI(text),
  'a form': (text) => String(new URLSearchParams({ p: text })).slice(2),
  'percent signs alone': (text) => Buffer.from(text).toString('hex').replace(/../g, '%$&'),
  base64: (text) => Buffer.from(text).toString('base64'),
  'base64 for URLs': (text) => Buffer.from(text).toString('base64url'),
  'base64 after a name': (text) => Buffer.from(`a@b.test:${text}`).toString('base64'),
  'JSON in HTML': (text) => html(JSON.stringify(text), '&quot;', '&#039;'),
};

const frames: Readonly<Record<string, (echo: string) => ImportAnswer | Error>> = {
  'a JSON value': (echo) =>
    json({ message: `No: "${echo}"`, errors: { 'participants.0.password': [`<${echo}>`] } }),
  'a page of HTML': (echo) => ({ status: 500, body: `<html><p title="${echo}">no: ${echo}</p>` }),
  'text in brackets': (echo) => ({ status: 500, body: `[error] no (${echo})` }),
  'a cause': (echo) =>
    new TypeError('failed', { cause: Object.assign(new Error(`at "${echo}"`), { of: echo }) }),
};

const password = fc
  .string({ unit: 'grapheme', minLength: 3, maxLength: 24 })
  .filter((text) => /\S/.test(text) && !/\p{Cs}/u.test(text));

function everything(error: ExamServiceError): string {
  const headers = error instanceof ApiError ? [...error.headers.values()].join('\n') : '';
  return [printed(error), inspect(error, { depth: 10, showHidden: true }), headers].join('\n');
}

describe.each(Object.entries(frames))('a password that is echoed in %s is hidden', (_frame, frame) => {
  test.each(Object.entries(encoders))('written as %s', async (_, encode) => {
    await fc.assert(
      fc.asyncProperty(password, async (secret) => {
        const echo = encode(secret);
        // What is there without the echo is no echo; a password such as `the` is found in any text.
        const shown = [secret, echo, JSON.stringify(secret).slice(1, -1), JSON.stringify(echo).slice(1, -1)];
        const control = everything(await importing('an-other-password', frame('')));
        fc.pre(!shown.some((text) => control.includes(text) || '[redacted]'.includes(text)));
        const text = everything(await importing(secret, frame(echo)));
        for (const form of shown) expect(text).not.toContain(form);
      }),
      { numRuns: 25 },
    );
  });
});

test.each(['""   ', '"" no (""', '[""]'])(
  'the password %j is hidden in a text that only looks like JSON',
  async (secret) => {
    for (const body of [`[error] no (${secret})`, `["ok"] (${secret})`, `{${secret})`, `["", ${secret} .`]) {
      expect(await importing(secret, { status: 500, body })).not.toHaveProperty(
        'body',
        expect.stringContaining(secret),
      );
    }
  },
);

test.each(['plain-Password', 'a*b!~c (d)', 'Zoë<ünï>&"co"'])(
  'a header that echoes %s is hidden',
  async (secret) => {
    for (const encode of [...Object.values(encoders), toUtf8]) {
      const echo = encode(secret);
      if (/[^ -\xFF]/.test(echo)) continue;
      const error = await importing(secret, { headers: { 'X-Echo': `it: ${echo}`, 'X-Request-Id': echo } });
      expect(everything(error)).not.toContain(echo);
      expect(error).toMatchObject({ requestId: expect.stringContaining('[redacted]') });
    }
  },
);

test('the beginning of a password at the cut of a long body is hidden', async () => {
  for (const shown of [5, 10]) {
    const filler = '.'.repeat(64 * 1024 - shown);
    const error = await importing('first-password', { body: `${filler}first-password` });
    const body = String(Reflect.get(error, 'body'));
    // The body is cut after its secrets were hidden, so that the end may be cut as well.
    expect(body.replace(/^\.+/, '')).toBe('[redacted]'.slice(0, body.length - filler.length));
  }
});

test('what a class of errors adds to printing is left out of a cause', async () => {
  class Telling extends Error {
    readonly #sent: string;
    constructor(sent: string) {
      super('failed');
      this.#sent = sent;
    }
    [inspect.custom]() {
      return this.#sent;
    }
  }
  const secret = 'first-password';
  for (const cause of [new Telling(secret), new DOMException(secret, 'DataError')]) {
    expect(everything(await importing(secret, cause))).not.toContain(secret);
  }
  const named = Object.assign(new Error('failed'), { name: `Failed ${secret}` });
  expect(everything(await importing(secret, named))).not.toContain(secret);
});

test('an inspected error does not print cookies', async () => {
  const headers = { 'Set-Cookie': 'session=abc', 'X-Tag': 'shown' };
  const text = inspect(await importing('first-password', { headers }));
  expect(text).toContain('shown');
  expect(text).not.toMatch(/cookie|session/i);
});

test('keys and messages of an error are bounded in length', async () => {
  const long = 'x'.repeat(50_000);
  const error = await importing('first-password', json({ message: long, errors: { [long]: [long] } }));
  expect(error.message.length).toBeLessThan(2_000);
  const [[field = '', [message = ''] = []] = []] = Object.entries(
    Reflect.get(error, 'fieldErrors') as object,
  );
  expect(field.length).toBeLessThanOrEqual(200);
  expect(message.length).toBeLessThanOrEqual(2_000);

  const answer = { data: [], meta: { available_events: { [long]: 3 } } };
  const client = createClient({ url: 'https://h.test' }, { fetch: async () => Response.json(answer) });
  const drift = await failure(client.webhooks.list(), ResponseValidationError);
  expect(drift.message.length).toBeLessThan(2_000);
  expect(drift.issues[0]?.path.length).toBeLessThanOrEqual(200);
});
