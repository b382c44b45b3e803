// The session: a cookie that only this server can sign, and no page can read.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A person who may sign in. A participant sees their own results, a teacher those of all. */
export interface Person {
  readonly name: string;
  readonly role: 'teacher' | 'participant';
  /** Id of a participant in the exam service. */
  readonly participantId?: number;
}

/** Stands for your user database, whose passwords would be hashed. */
const people: Readonly<Record<string, Person & { readonly password: string }>> = {
  teacher: { name: 'Ms Okafor', role: 'teacher', password: 'teacher' },
  jonas: { name: 'Jonas Iyer', role: 'participant', participantId: 50, password: 'jonas' },
};

const COOKIE = 'session';
const ONE_HOUR = 3_600;
/** Ends all sessions with the process. Several processes share one from their environment. */
const secret = process.env['SESSION_SECRET'] ?? randomBytes(32).toString('hex');

const sign = (text: string) => createHmac('sha256', secret).update(text).digest('base64url');

/** The person behind a request; `null` if nobody is signed in. */
export function personOf(request: Request): Person | null {
  const cookies = request.headers.get('cookie') ?? '';
  const [, text = '', signature = ''] = /(?:^|;\s*)session=([\w-]+\.\d+)\.([\w-]+)/.exec(cookies) ?? [];
  const expected = Buffer.from(sign(text));
  const given = Buffer.from(signature);
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return null;
  const [user = '', expires = 0] = text.split('.');
  if (Number(expires) < Date.now() / 1_000 || !Object.hasOwn(people, user)) return null;
  return people[user] ?? null;
}

/** What a page may know of a person. */
const toJson = (person: Person | undefined) =>
  person === undefined ? null : { name: person.name, role: person.role };

/** `/session`: GET says who is signed in, POST signs in with user and password, DELETE signs out. */
export async function handleSession(request: Request): Promise<Response> {
  // Signing in from another site would put a visitor into an account that is not theirs.
  const site = request.headers.get('sec-fetch-site') ?? 'same-origin';
  if (site !== 'same-origin' && site !== 'none')
    return respond({ message: 'This origin is not allowed.' }, 403);
  if (request.method === 'GET') return respond(toJson(personOf(request) ?? undefined));
  if (request.method === 'DELETE') return respond(null, 200, 'Max-Age=0');
  if (request.method !== 'POST') return respond({ message: 'Use GET, POST or DELETE.' }, 405);
  const { user = '', password } = Object(await request.json().catch(() => null));
  const person = Object.hasOwn(people, user) ? people[user] : undefined;
  if (person === undefined || person.password !== password) {
    return respond({ message: 'Wrong name or password.' }, 401);
  }
  const text = `${user}.${Math.floor(Date.now() / 1_000) + ONE_HOUR}`;
  return respond(toJson(person), 200, `Max-Age=${ONE_HOUR}`, `${text}.${sign(text)}`);
}

function respond(body: unknown, status = 200, cookie?: string, value = ''): Response {
  const headers = new Headers({ 'cache-control': 'no-store' });
  // Behind TLS add `Secure`.
  if (cookie) headers.set('set-cookie', `${COOKIE}=${value}; HttpOnly; SameSite=Lax; Path=/; ${cookie}`);
  return Response.json(body, { status, headers });
}
