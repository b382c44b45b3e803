// Responses of the proxy itself. One that is thrown ends the request.

/** A response that does not come from the service; `ExamClient` reads its message. */
export function reply(status: number, message: string, headers = {}): Response {
  return Response.json({ message }, { status, headers });
}

/** Whether a value is a response, also of a library that brings its own. */
export const isResponse = (value: unknown): value is Response => 'arrayBuffer' in Object(value);
