/**
 * The participant who is signed in: replace this with the session of your own application. A real one checks a signature or
 * looks into a store; `examples/browser/session.ts` shows a signed cookie.
 */
const participants: Readonly<Record<string, number>> = { 'a-long-random-session-id': 1 };

export function participantOf(request: Request): number | null {
  const [, session = ''] = /(?:^|;\s*)session=([\w-]+)/.exec(request.headers.get('cookie') ?? '') ?? [];
  return Object.hasOwn(participants, session) ? (participants[session] ?? null) : null;
}
