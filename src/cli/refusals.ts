import type { Reply } from './reply.ts';

/** Why a service answers none of its lists, in words: `null` where it answers one, or where there is no common reason. */
export function explainRefusals(replies: readonly Reply[]): string | null {
  if (replies.some(({ ok }) => ok)) return null;
  const seen = [...new Set(replies.map(({ words }) => words))].join(', ');
  if (replies.every(({ status }) => status === 401 || status === 403)) {
    return `The service refuses the key (${seen}). Check EXAM_SERVICE_API_KEY, and that the key is of this service.`;
  }
  if (replies.some((reply) => !reply.ok && reply.kind === 'text before JSON')) {
    return `The service writes text before its JSON (${seen}), so that no client can read it. In PHP, set display_errors to 0.`;
  }
  if (replies.some((reply) => reply.status === 404 || (!reply.ok && reply.kind !== 'refused'))) {
    return `There is no list of the service at this address (${seen}). The base URL ends with the version prefix: /api/v1.`;
  }
  return null;
}
