/**
 * Hooks that report calls and deliveries to OpenTelemetry.
 * @module
 */

export { type OpenTelemetryOptions, openTelemetry } from './open-telemetry.ts';
