// Reads the records in the documented envelope of webhook operations.

import { isObject, type JsonObject } from '../../util/json.ts';
import type { Content } from '../reply.ts';

/** The record in `data`; without fields where there is none. */
export function rowOf({ body }: Content): JsonObject {
  const data: unknown = Object(body).data;
  return isObject(data) ? data : {};
}

/** The records of the list in `data`. */
export function rowsOf({ body }: Content): JsonObject[] {
  const data: unknown = Object(body).data;
  return Array.isArray(data) ? data.filter(isObject) : [];
}
