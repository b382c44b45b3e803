// The answers of the proxy itself. One that is thrown ends the request: nothing more is done for it.

/** An answer that the service has no part in; `ExamClient` reads its message. */
export function refusal(status: number, message: string, headers = {}): Response {
  return Response.json({ message }, { status, headers });
}

/** Whether a value is a response, also of a library that brings its own. */
export const isResponse = (value: unknown): value is Response => 'arrayBuffer' in Object(value);
