// Finds the rows because of which the service refuses a batch, and imports the rest.

import type { ApiError } from '../../core/errors/api-error.ts';
import type { Delivery } from './delivery.ts';
import { findNamedRows, isCrash, isFaultOfRows } from './refusal.ts';
import type { NumberedRow } from './row.ts';

type Rows = readonly NumberedRow[];

/**
 * Imports rows and leaves out those that the service rejects, until every row is settled.
 *
 * @throws {ApiError} when the error is not the fault of single rows
 */
export async function bisect(delivery: Delivery, rows: Rows): Promise<void> {
  const crash = await settle(delivery, rows);
  if (crash !== null) await takeCrashApart(delivery, rows, crash);
}

/** Settles rows, or returns the 500 that the service answered instead. */
async function settle(delivery: Delivery, rows: Rows): Promise<ApiError | null> {
  const error = await importWithoutNamed(delivery, rows);
  if (error === null || isCrash(error)) return error;
  if (!isFaultOfRows(error)) throw error;
  const [row, ...others] = rows;
  if (row !== undefined && others.length === 0) await delivery.reject(row, error.message);
  else for (const half of halve(rows)) await bisect(delivery, half);
  return null;
}

/**
 * Imports rows without those that the service names as invalid. They count as failed only if it accepts the rest: if it
 * names the same positions again, its numbers cannot be trusted, and all rows are left to be halved.
 *
 * @returns `null` when all rows are settled, otherwise the last error, after which none is
 */
async function importWithoutNamed(delivery: Delivery, rows: Rows): Promise<ApiError | null> {
  const leftOut: { readonly row: NumberedRow; readonly reason: string }[] = [];
  let rest = rows;
  let lastNamed = '';
  while (rest.length > 0) {
    const error = await delivery.import(rest);
    if (error === null) break;
    const named = error.status === 422 ? findNamedRows(error, rest.length) : null;
    const places = [...(named?.keys() ?? [])].join();
    if (named === null || places === lastNamed) return error;
    lastNamed = places;
    for (const [place, row] of rest.entries()) {
      const reason = named.get(place);
      if (reason !== undefined) leftOut.push({ row, reason });
    }
    rest = rest.filter((_, place) => !named.has(place));
  }
  for (const { row, reason } of leftOut) await delivery.reject(row, reason);
  return null;
}

/** Searches for the rows that make the service fail. If it fails on both halves, it is down, and no row is at fault. */
async function takeCrashApart(delivery: Delivery, rows: Rows, crash: ApiError): Promise<void> {
  if (rows.length === 1) throw crash;
  const [first, second] = halve(rows);
  const crashes = [await settle(delivery, first), await settle(delivery, second)] as const;
  if (crashes[0] !== null && crashes[1] !== null) throw crashes[1];
  if (crashes[0] !== null) await judge(delivery, first, second, crashes[0]);
  if (crashes[1] !== null) await judge(delivery, second, first, crashes[1]);
}

/**
 * Handles the half on which the service failed while it accepted the other. A single row is at fault only if the
 * service fails on it between two successes: an outage that begins or ends meanwhile must not cost a row.
 */
async function judge(delivery: Delivery, suspect: Rows, sound: Rows, crash: ApiError): Promise<void> {
  const [row, ...others] = suspect;
  if (row === undefined || others.length > 0) return takeCrashApart(delivery, suspect, crash);
  const again = await settle(delivery, suspect);
  if (again === null) return;
  const outage = await delivery.probe(sound);
  if (outage !== null && !isFaultOfRows(outage)) throw outage;
  await delivery.reject(row, again.message);
}

function halve(rows: Rows): readonly [Rows, Rows] {
  const middle = Math.ceil(rows.length / 2);
  return [rows.slice(0, middle), rows.slice(middle)];
}
