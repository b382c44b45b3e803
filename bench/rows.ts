/** A row that every contender's own schema accepts. */
export function rowOf(index: number): Record<string, unknown> {
  return {
    id: index + 1,
    object: 'model',
    created: 1_700_000_000 + index,
    owned_by: 'benchmark',
    capabilities: { completion_chat: true },
    type: 'base',
    name: `Exam number ${index}`,
    name_short: `EX-${index}`,
    passing_grade: '63.00',
    start_at: '2025-03-01T01:00:00.000000Z',
    end_at: null,
  };
}
