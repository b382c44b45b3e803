/** The events of the interface document. */
export const availableEvents = [
  'exam_participant.registered',
  'exam_participant.unregistered',
  'exam_result.completed',
  'exam_result.scored',
] as const;
