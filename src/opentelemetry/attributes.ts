// The names and attributes of a call's spans and metrics, as in the semantic conventions of HTTP.

import { type Attributes, type Span, SpanStatusCode } from '@opentelemetry/api';
import { isExamServiceError } from '../core/errors/base.ts';
import type { CallEvent, OnRequestEvent, OnStartEvent } from '../core/hooks.ts';

/** The path of `client.request` is not a template: it may contain ids, names or addresses of people. */
function templateOf({ operation, route }: CallEvent): string | undefined {
  return operation === 'request' ? undefined : route;
}

/** `{method} {route}`, as in the conventions. */
export function spanNameOf(event: CallEvent): string {
  const template = templateOf(event);
  return template === undefined ? event.method : `${event.method} ${template}`;
}

/** Attributes of a call's spans and of the histogram, known when the call starts. */
export function attributesOf(event: OnStartEvent): Attributes {
  const { hostname, port, protocol } = new URL(event.baseUrl);
  const template = templateOf(event);
  return {
    'http.request.method': event.method,
    // Only URLs put IPv6 addresses in brackets.
    'server.address': hostname.replace(/^\[|\]$/g, ''),
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    ...(template !== undefined && { 'url.template': template }),
  };
}

/** The URL of a request without the values of its query; for `client.request`, also without the path. */
export function fullUrlOf(event: OnRequestEvent, baseUrl: string): string {
  if (templateOf(event) === undefined) return `${baseUrl}/${REDACTED}`;
  const url = new URL(event.url);
  for (const name of new Set(url.searchParams.keys())) url.searchParams.set(name, REDACTED);
  return url.href;
}

const REDACTED = 'REDACTED';

/** How a call or an attempt ended. */
export function endOf(status: number | null, failure?: { readonly error: unknown }): Attributes {
  return {
    ...(status !== null && { 'http.response.status_code': status }),
    ...(failure && { 'error.type': errorTypeOf(failure.error, status) }),
  };
}

/** Names that platforms give an abort and the end of `AbortSignal.timeout`. */
const abortNames: readonly string[] = ['AbortError', 'TimeoutError'];

/** The status of an error response, otherwise the name of the error; an abort's reason may have any name and content. */
export function errorTypeOf(error: unknown, status: number | null): string {
  if (status !== null && status >= 400) return String(status);
  if (isExamServiceError(error)) return error.name;
  const name: unknown = Object(error).name;
  return abortNames.find((known) => known === name) ?? '_OTHER';
}

/** Ends a span with a status without a description: messages may quote the service, which may quote a person. */
export function close(span: Span, end: Attributes): void {
  span.setAttributes(end);
  if (end['error.type'] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
