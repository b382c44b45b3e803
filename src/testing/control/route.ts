// The form of a route of the control interface.

import type * as z from 'zod/mini';
import type { Emulator } from '../emulator/emulator-api.ts';
import { fields } from '../schema/input-fields.ts';
import { readInput } from '../schema/read-input.ts';

/** Path of the control interface, outside the service's. */
export const CONTROL_PREFIX = '/__emulator';

/** The result: a message for people, and data for programs. */
export interface RouteResult {
  readonly message: string;
  readonly data?: unknown;
}

/** Something that an emulator can be asked to do over HTTP. */
export interface ControlRoute {
  readonly method: 'GET' | 'POST';
  /** Below `/__emulator`. */
  readonly path: string;
  /** What it does: its button on the console, and its line in the document. */
  readonly title: string;
  /** Whether data is lost: its form has to be opened before it can be sent. */
  readonly losesData: boolean;
  /** JSON body of a POST, query of a GET. */
  readonly input: z.ZodMiniType;
  /** @throws {Error} when the input is invalid or the action fails; the message says why */
  readonly run: (emulator: Emulator, input: unknown) => RouteResult | Promise<RouteResult>;
}

type MakeRoute = <Input>(
  path: string,
  title: string,
  input: z.ZodMiniType<Input>,
  run: (emulator: Emulator, input: Input) => RouteResult | Promise<RouteResult>,
) => ControlRoute;

const route =
  (method: ControlRoute['method'], losesData = false): MakeRoute =>
  (path, title, input, run) => ({
    method,
    path,
    title,
    losesData,
    input,
    run: (emulator, given) => run(emulator, readInput(input, given)),
  });

/** The input of a route without any. */
export const nothing = fields({});

export const get = route('GET');
export const post = route('POST');
export const postLosingData = route('POST', true);
