// Says what became of a request that got no response, and decides from the error of `fetch` how far it got. The evidence is the system
// call or the error code, anywhere in the causes, never the text; without evidence, the request may have arrived.

import { copyError, innermostCause, isError } from '../../util/errors.ts';
import type { Verdict } from './base.ts';
import { type ConnectionError, type MessageParts, type RequestFacts, toVerdict } from './request-error.ts';

/** What shows a failure: a field of an error that matches, in the order of trust. */
const evidences = [
  // The system calls before a connection exists; Bun and undici have codes of their own for the same.
  ['unreachable', 'syscall', /^(connect|getaddrinfo)$/],
  ['unreachable', 'code', /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ConnectionRefused|UND_ERR_CONNECT_TIMEOUT)$/],
  ['no_tunnel', 'code', /^ERR_PROXY_TUNNEL$/],
  ['unknown_issuer', 'code', /^(?!.*ALERT).*(SELF_SIGNED|UNABLE_TO_GET_ISSUER|UNABLE_TO_VERIFY_LEAF)/],
  // The other side sends an alert: it rejects the certificate of this one.
  ['certificate', 'code', /^(?!.*ALERT).*(CERT|UNABLE_TO_(GET|VERIFY)|ERR_TLS_)/],
  ['no_tls', 'code', /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/],
  ['too_slow', 'code', /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/],
  ['blocked', 'code', /^(UND_ERR_INVALID_ARG|ERR_INVALID_CHAR)$/],
] as const;

/**
 * How far a request came that got no response. Only `lost` and `too_slow` may have reached the service.
 *
 * - `unreachable`, `no_tunnel`: no connection was made; another attempt may succeed
 * - `too_slow`: the platform has a time limit of its own
 * - the others: the platform rejects it, and will again
 */
export type ConnectionFailure = (typeof evidences)[number][0] | 'lost';

/** What to do about a time limit of the platform: undici waits for 300 s for headers, and as long within a body. */
export const PLATFORM_LIMIT =
  'This is a time limit of your `fetch`, in Node 300 s, whatever `timeout` says: pass a `dispatcher` with longer ones in `fetchOptions`.';

const advices: Readonly<Record<ConnectionFailure, string>> = {
  unreachable: 'Check the base URL and the network.',
  no_tunnel: 'Check the address and the credentials of your proxy.',
  unknown_issuer:
    'The issuer of the certificate is unknown: set NODE_EXTRA_CA_CERTS to the file of its authority, and check the base URL.',
  certificate:
    'The certificate of the service was rejected: check the base URL, what listens there, and the clock of this machine.',
  no_tls: 'This port does not speak TLS: check the scheme and the port of the base URL.',
  blocked:
    'Fetch rejects the address, a header or an option: check the base URL, `headers` and `fetchOptions`.',
  too_slow: PLATFORM_LIMIT,
  lost: 'Check the base URL and the network.',
};

/** What the `ConnectionError` of a request is made of for which `fetch` threw `thrown`. Made by its caller: a stack keeps ten lines. */
export function connectionFailure(
  facts: RequestFacts,
  thrown: unknown,
): [reason: string, verdict: Verdict, details: MessageParts] {
  const cause = copyError(thrown, facts.redact);
  const failure = classify(cause);
  const mayHaveArrived = failure === 'lost' || failure === 'too_slow';
  const isUnsent = !facts.isSent || !mayHaveArrived;
  const isPassing = mayHaveArrived || failure === 'unreachable' || failure === 'no_tunnel';
  const verdict = toVerdict(facts, isUnsent ? 'not_sent' : 'unknown', isPassing ? undefined : false);
  const { message, code } = innermostCause(cause);
  // The text of OpenSSL, which only an expert can read, stands in `cause`.
  const said = message === '' || code.startsWith('ERR_SSL_') ? code : message;
  const reason = `got no response${said === '' ? ' and no reason' : `: ${said}`}.`;
  // On some platforms, a tunnel that a proxy refuses looks like this.
  const unsaid = said === '' ? ' A proxy on the way may ask for credentials (407).' : '';
  return [reason, verdict, { cause, advice: advices[failure] + unsaid }];
}

/** How far the last attempt of a call came that got no response. */
export function failureKind({ cause }: ConnectionError): ConnectionFailure {
  return classify(cause);
}

/** Whether no host has the name of the base URL. */
export function isUnknownHost({ cause }: ConnectionError): boolean {
  return innermostCause(cause).code === 'ENOTFOUND';
}

/** Whether an error of `fetch`, in a copy made by `copyError`, is a time limit of the platform. */
export function isPlatformLimit(cause: unknown): boolean {
  return classify(cause) === 'too_slow';
}

/** What the causes of an error show. Pass a copy made by `copyError`, which is finite: an error may be its own cause. */
function classify(error: unknown): ConnectionFailure {
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
