// Compiled only, against the published declarations.
import { createEmulator } from 'exam-service-sdk/testing';
import { createMswHandlers } from 'exam-service-sdk/testing/msw';

export const [handler] = createMswHandlers(createEmulator(), {
  baseUrl: 'https://host.test/api/v1',
});
// @ts-expect-error: an emulator is required
createMswHandlers();
