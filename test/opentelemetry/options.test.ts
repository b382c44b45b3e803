import { describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../src/index.ts';
import { openTelemetry } from '../../src/opentelemetry/index.ts';
import { thrown } from '../helpers/client.ts';

describe('openTelemetry rejects', () => {
  test.each([
    [{ traceProvider: {} }, 'did you mean `tracerProvider`'],
    [{ tracerProvider: 'global' }, '`tracerProvider`'],
    [{ tracerProvider: null }, '`tracerProvider`'],
    [{ meterProvider: {} }, '`meterProvider`'],
  ])('%o, which would measure nothing', (options, named) => {
    expect(thrown(() => openTelemetry(options as never), ConfigurationError).message).toContain(named);
  });
});
