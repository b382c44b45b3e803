import type { Context } from 'hono';
import { requireExam } from '../domain/assignments.ts';
import { requireEndpoint } from '../domain/endpoints.ts';
import { requireParticipant } from '../domain/participants.ts';
import type { World } from '../domain/world.ts';
import type { Operation } from '../operations.ts';
import { idIn } from './handler.ts';

/**
 * Finds the record in the path, as Laravel's route model binding does before a handler.
 *
 * @throws {Refusal} when there is none: 404
 */
export function requireRecord(world: World, { path }: Operation, c: Context): void {
  if (!path.includes(':id')) return;
  if (path.startsWith('/participants/')) requireParticipant(world, idIn(c));
  else if (path.startsWith('/exams/')) requireExam(world, idIn(c));
  else requireEndpoint(world, idIn(c));
}
