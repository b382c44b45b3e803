/**
 * A receiver as an AWS Lambda function behind a function URL, an API Gateway, with events in format 1.0 or 2.0, or an Application
 * Load Balancer, with or without multi-value headers. Bundle it, name `handler` as the entry, set
 * `EXAM_SERVICE_WEBHOOK_SECRET`, and mount a file system at `INVALID_DIR`: the disk of a function does not last.
 */
import type {
  ALBEvent,
  APIGatewayProxyEvent,
  APIGatewayProxyEventV2,
  APIGatewayProxyResult,
} from 'aws-lambda';
import { createWebhookHandler } from 'exam-service-sdk/webhooks';
import { keepInvalid } from './keep-invalid.ts';

type HttpEvent = APIGatewayProxyEvent | APIGatewayProxyEventV2 | ALBEvent;

const receive = createWebhookHandler({
  secret: process.env['EXAM_SERVICE_WEBHOOK_SECRET'] ?? '',
  on: {
    'exam_result.completed': ({ data }) => {
      console.log(`${data.participant.name} finished ${data.exam.name}: ${data.score}`);
    },
  },
  // Saves a payload that is not as documented: once this returns, the service does not send it again.
  onInvalid: keepInvalid,
  onRejected: ({ reason, message }) => console.warn(`Rejected: ${reason}. ${message}`),
  onError: (error) => console.error('Not handled, so it will be delivered again:', error),
});

export async function handler(event: HttpEvent): Promise<APIGatewayProxyResult> {
  const response = await receive(toRequest(event));
  const result = { statusCode: response.status, body: await response.text() };
  const headers = Object.fromEntries(response.headers);
  // A load balancer with multi-value headers reads no others.
  if (event.headers || !allHeaders(event)) return { ...result, headers };
  const lists = Object.entries(headers).map(([name, value]) => [name, [value]]);
  return { ...result, multiValueHeaders: Object.fromEntries(lists) };
}

function toRequest(event: HttpEvent): Request {
  const headers = new Headers();
  // The console of the API Gateway sends null for no headers.
  for (const [name, values] of Object.entries(allHeaders(event) ?? event.headers ?? {})) {
    for (const value of [values ?? []].flat()) headers.append(name, value);
  }
  const method = 'httpMethod' in event ? event.httpMethod : event.requestContext.http.method;
  // To the receiver all other methods are as wrong.
  if (method !== 'POST') return new Request('https://receiver/', { headers });
  // Which encoding the gateway chose is its affair; the signature is over the bytes.
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  return new Request('https://receiver/', { method, headers, body });
}

/** Each header with all its values, where the event has them. */
function allHeaders(event: HttpEvent) {
  return 'multiValueHeaders' in event ? event.multiValueHeaders : undefined;
}
