/**
 * Why a service answers none of its lists, in words: `null` where it answers one, or where there is no common reason.
 * The labels are statuses, or what came in their place.
 */
export function explainRefusals(labels: readonly string[]): string | null {
  if (labels.some((label) => /^2/.test(label))) return null;
  const seen = [...new Set(labels)].join(', ');
  if (labels.every((label) => label === '401' || label === '403')) {
    return `The service refuses the key (${seen}). Check EXAM_SERVICE_API_KEY, and that the key is of this service.`;
  }
  if (labels.some((label) => /^(404|redirect|not JSON)$/.test(label))) {
    return `There is no list of the service at this address (${seen}). The base URL ends with the version prefix: /api/v1.`;
  }
  return null;
}
