// The entry `exam-service-sdk/opentelemetry`: hooks that report calls and deliveries to OpenTelemetry.

export { type OpenTelemetryOptions, openTelemetry } from './open-telemetry.ts';
