/**
 * Sends a signed delivery to a receiver that is being developed, and prints its response.
 *
 *   EXAM_SERVICE_WEBHOOK_SECRET=… npx node examples/receivers/send-delivery.ts http://127.0.0.1:3000/webhooks
 */
import { signedWebhook } from 'exam-service-sdk/testing';

const { EXAM_SERVICE_WEBHOOK_SECRET: secret = '' } = process.env;
const [url = 'http://127.0.0.1:3000/webhooks'] = process.argv.slice(2);

const event = {
  event: 'exam_result.completed',
  created_at: '2025-03-01T09:45:13+07:00',
  data: {
    exam_result_id: 7,
    user_exam_id: 501,
    participant_code: 'P-0001',
    exam: { id: 1, name: 'Mathematics, first term', name_short: 'MATH-1' },
    exam_quiz: { id: 3, name: 'Algebra' },
    participant: { id: 9, name: 'Ana Putri', email: 'ana@example.com' },
    status: 2,
    status_label: 'Finished',
    score: 87.5,
    start_at: '2025-03-01T08:00:00+07:00',
    end_at: '2025-03-01T09:45:12+07:00',
  },
};

const response = await fetch(signedWebhook({ url, secret, body: JSON.stringify(event) }).toRequest());
console.log(response.status, await response.text());
