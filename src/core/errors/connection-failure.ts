// Tells from an error of fetch how far the request came. The evidence is the system call or the check that failed,
// anywhere in the causes; without evidence, the request may have arrived.

import { isError } from '../../util/errors.ts';

/**
 * How far a request came that got no response. Only `lost` may have reached the service.
 *
 * - `unreachable`: no connection was made; another attempt may succeed
 * - `certificate`, `no_tls`, `blocked`: the platform refused to send it, and will refuse again
 */
export type ConnectionFailure = 'unreachable' | 'certificate' | 'no_tls' | 'blocked' | 'lost';

/** What shows a failure: a part of an error that matches, in the order of trust. */
const evidences = [
  // The system calls before a connection exists; Bun and undici have codes of their own for the same.
  ['unreachable', 'syscall', /^(connect|getaddrinfo)$/],
  ['unreachable', 'code', /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ConnectionRefused|UND_ERR_CONNECT_TIMEOUT)$/],
  // An alert is the other side's: what it refuses is the certificate of this one.
  ['certificate', 'code', /^(?!.*ALERT).*(CERT|UNABLE_TO_(GET|VERIFY)|ERR_TLS_|HOSTNAME_MISMATCH)/],
  ['no_tls', 'code', /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/],
  ['blocked', 'code', /^(UND_ERR_INVALID_ARG|ERR_INVALID_CHAR)$/],
  // Before any I/O, a fetch checks its port, and Deno whether the program may reach the host. No other words show anything: those about
  // headers may be about the answer's, and those of Deno about a refused connection may be about its own repetition of the request.
  [
    'blocked',
    'wording',
    /^bad port$|^(fetch failed: )?requests to port \d+ are blocked|^requires net access/i,
  ],
] as const;

/** What the causes of an error show. To be passed a copy made by `copyError`, which has an end: an error may stand below itself. */
export function classify(error: unknown): ConnectionFailure {
  if (!isError(error)) return 'lost';
  const { errors, code, syscall } = error as { errors?: unknown; code?: unknown; syscall?: unknown };
  // A host name with several addresses fails with one error per address.
  if (Array.isArray(errors) && errors.length > 0) {
    const [first, ...others] = new Set(errors.map(classify));
    return first !== undefined && others.length === 0 ? first : 'lost';
  }
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  // Beside a code, such words may be those of a proxy.
  const parts = { syscall: text(syscall), code: text(code), wording: text(code) === '' ? error.message : '' };
  const shown = evidences.find(([, part, sign]) => sign.test(parts[part]))?.[0];
  return shown ?? classify(error.cause);
}
