// Compiled only, against the published declarations: what a program declares of fields that the service does not document.
import type { Exam, ExamClient, ExamResult, Participant } from 'exam-service-sdk';
import type { WebhookEventMap } from 'exam-service-sdk/webhooks';

declare module 'exam-service-sdk' {
  interface Participant {
    email: string;
  }
  interface Exam {
    name: string;
  }
  interface ExamResult {
    status: number;
  }
}

declare module 'exam-service-sdk/webhooks' {
  interface ExamParticipantRegisteredData {
    exam_code: string;
  }
  interface ExamParticipantUnregisteredData {
    reason: string;
  }
  interface ExamResultCompletedData {
    certificate: string;
  }
  interface ExamResultScoredData {
    points: number;
  }
}

// What they are for
declare function same<A>(value: A, proof: [A] extends [string | number] ? true : never): void;

export async function declaredFields(client: ExamClient, events: WebhookEventMap) {
  same((await client.participants.retrieve(1)).email, true);
  same((await client.exams.retrieve(1)).name, true);
  for await (const result of client.examResults.list()) same(result.status, true);
  same(events['exam_participant.registered'].data.exam_code, true);
  same(events['exam_participant.unregistered'].data.reason, true);
  same(events['exam_result.completed'].data.certificate, true);
  same(events['exam_result.scored'].data.points, true);
}

export type DocumentedFields = [Exam['id'], Participant['id'], ExamResult['score']];
