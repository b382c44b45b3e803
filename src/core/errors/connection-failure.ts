// Decides from an error of `fetch` how far the request got. The evidence is the system call or the error code, anywhere in the
// causes, never the text; without evidence, the request may have arrived.

import { isError } from '../../util/errors.ts';

/** What shows a failure: a field of an error that matches, in the order of trust. */
const evidences = [
  // The system calls before a connection exists; Bun and undici have codes of their own for the same.
  ['unreachable', 'syscall', /^(connect|getaddrinfo)$/],
  ['unreachable', 'code', /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ConnectionRefused|UND_ERR_CONNECT_TIMEOUT)$/],
  ['no_tunnel', 'code', /^ERR_PROXY_TUNNEL$/],
  ['unknown_issuer', 'code', /^(?!.*ALERT).*(SELF_SIGNED|UNABLE_TO_GET_ISSUER|UNABLE_TO_VERIFY_LEAF)/],
  ['expired', 'code', /^(CERT_HAS_EXPIRED|CERT_NOT_YET_VALID)$/],
  ['wrong_host', 'code', /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/],
  // The other side sends an alert: it rejects the certificate of this one.
  ['certificate', 'code', /^(?!.*ALERT).*(CERT|UNABLE_TO_(GET|VERIFY)|ERR_TLS_)/],
  ['no_tls', 'code', /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/],
  ['blocked', 'code', /^(UND_ERR_INVALID_ARG|ERR_INVALID_CHAR)$/],
] as const;

/**
 * How far a request came that got no response. Only `lost` may have reached the service.
 *
 * - `unreachable`, `no_tunnel`: no connection was made; another attempt may succeed
 * - the others: the platform rejects it, and will again
 */
export type ConnectionFailure = (typeof evidences)[number][0] | 'lost';

/** What the causes of an error show. Pass a copy made by `copyError`, which is finite: an error may be its own cause. */
export function classify(error: unknown): ConnectionFailure {
  if (!isError(error)) return 'lost';
  const { errors, code, syscall } = error as { errors?: unknown; code?: unknown; syscall?: unknown };
  // A host name with several addresses fails with one error per address.
  if (Array.isArray(errors) && errors.length > 0) {
    const [first, ...others] = new Set(errors.map(classify));
    return first !== undefined && others.length === 0 ? first : 'lost';
  }
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const fields = { syscall: text(syscall), code: text(code) };
  const shown = evidences.find(([, field, sign]) => sign.test(fields[field]))?.[0];
  return shown ?? classify(error.cause);
}
