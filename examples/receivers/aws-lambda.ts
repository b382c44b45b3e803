/**
 * A receiver as an AWS Lambda function behind a function URL or an API Gateway, with events in format 1.0 or 2.0. Bundle it,
 * name `handler` as the entry, and set `EXAM_SERVICE_WEBHOOK_SECRET`.
 */
import type {
  APIGatewayProxyEvent,
  APIGatewayProxyEventV2,
  APIGatewayProxyStructuredResultV2,
} from 'aws-lambda';
import { createWebhookHandler } from 'exam-service-sdk/webhooks';

const receive = createWebhookHandler({
  secret: process.env['EXAM_SERVICE_WEBHOOK_SECRET'] ?? '',
  on: {
    'exam_result.completed': ({ data }) => {
      console.log(`${data.participant.name} finished ${data.exam.name}: ${data.score}`);
    },
  },
  onRejected: ({ code }) => console.warn(`Refused: ${code}`),
  onError: (error) => console.error('Not handled, so it will be delivered again:', error),
});

export async function handler(
  event: APIGatewayProxyEvent | APIGatewayProxyEventV2,
): Promise<APIGatewayProxyStructuredResultV2> {
  const response = await receive(toRequest(event));
  return {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  };
}

function toRequest(event: APIGatewayProxyEvent | APIGatewayProxyEventV2): Request {
  const method = 'httpMethod' in event ? event.httpMethod : event.requestContext.http.method;
  // Which encoding the gateway chose is its affair; the signature is over the bytes.
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  const headers = new Headers(event.headers as Record<string, string>);
  return new Request('https://receiver/', { method, headers, body: method === 'POST' ? body : null });
}
