// Whose word an error response is: the proxy judges by the same rule as the client.

type ResponseHeaders = Pick<Headers, 'get'>;

/**
 * Whether an error response with this body, as `findJson` reads it, is the service's word. The service responds in JSON; anything else
 * is a gateway's: a page of nginx, an ingress's "default backend", a bot challenge, an empty body.
 */
export function isServiceWord(body: unknown, isWhole: boolean, headers: ResponseHeaders): boolean {
  // A body that was cut off cannot be parsed, so its content type decides.
  return isWhole ? Object(body) === body : hasJsonType(headers);
}

/** Whether a response calls its body JSON. */
export function hasJsonType(headers: ResponseHeaders): boolean {
  return /\bjson\b/i.test(String(headers.get('content-type')));
}
