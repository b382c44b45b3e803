/** The documented events of the service's API. */
export const availableEvents = [
  'exam_participant.registered',
  'exam_participant.unregistered',
  'exam_result.completed',
  'exam_result.scored',
] as const;
