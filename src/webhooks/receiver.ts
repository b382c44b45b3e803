import { LONGEST_TIMER_MS } from '../util/numbers.ts';
import { checkDelivery } from './check.ts';
import { sha256 } from './crypto.ts';
import { handleOnce } from './deduplication.ts';
import { isUnknownEvent, type WebhookEvent, type WebhookSchemas } from './events.ts';
import { readBody } from './read-body.ts';
import { readEvent } from './read-event.ts';
import { readHandlerOptions, type WebhookHandlerOptions } from './receiver-options.ts';
import { about, WebhookVerificationError } from './verification-error.ts';

/** A receiver as web platforms call it. It never rejects. */
export type WebhookHandler = (request: Request) => Promise<Response>;

interface Verified<Schemas> {
  readonly event: WebhookEvent<Schemas>;
  readonly signedAt: number;
  readonly deliveryKey: string;
}

/**
 * Makes a receiver of deliveries. It answers 204 once the handler has finished, 400 to a delivery that is refused (413 to
 * one that is too large), 405 to other methods than POST, 500 when the handler fails or the body was read before, and 503
 * when the handler takes too long or another process is handling the delivery. The service repeats whatever is not
 * answered with 2xx (interface document, Delivery rules).
 *
 * @throws {ConfigurationError} when an option is invalid
 */
export function createWebhookHandler<const Schemas extends WebhookSchemas = WebhookSchemas>(
  options: WebhookHandlerOptions<Schemas>,
): WebhookHandler {
  const settings = readHandlerOptions(options);
  const { on, onUnknown, onError, onRejected, deduplication, timeoutMs } = settings;

  const verify = async (request: Request): Promise<Verified<Schemas> | WebhookVerificationError> => {
    const body = await readBody(request, settings.maxBodyBytes);
    const { headers } = request;
    if (body instanceof WebhookVerificationError) return about(body, headers);
    const checked = await checkDelivery({ body, headers }, settings);
    if (checked instanceof WebhookVerificationError) return checked;
    const event = await readEvent(checked.body, settings.schemas);
    if (event instanceof WebhookVerificationError) return about(event, headers, checked.body);
    return { event, signedAt: checked.signedAt, deliveryKey: await sha256(checked.body) };
  };

  const handle = async (
    { event, ...delivery }: Verified<Schemas>,
    request: Request,
    report: (error: unknown) => void,
  ): Promise<Response> => {
    const stop = new AbortController();
    // Some platforms give a request no signal.
    const signals = [stop.signal, request.signal].filter(Boolean);
    const context = { ...delivery, request, signal: AbortSignal.any(signals) };
    const run = async () => {
      const handler = isUnknownEvent(event) ? onUnknown : on[event.event];
      // A handler found by the event's own name takes that event, which TypeScript cannot follow.
      await handler?.(event as never, context);
      return 'handled' as const;
    };
    const work = deduplication ? handleOnce(deduplication, context.deliveryKey, run, report) : run();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const limit = new Promise<'late'>((resolve) => {
      if (timeoutMs !== false) timer = setTimeout(resolve, Math.min(timeoutMs, LONGEST_TIMER_MS), 'late');
    });
    const outcome = await Promise.race([work, limit]).finally(() => clearTimeout(timer));
    if (outcome === 'handled') return answer(204);
    if (outcome === 'busy') return answer(503, 'This delivery is being handled.');
    const error = new DOMException(`The handler took longer than ${timeoutMs} ms.`, 'TimeoutError');
    stop.abort(error);
    report(error);
    work.catch(report);
    return answer(503, error.message);
  };

  return async (request) => {
    if (request.method !== 'POST') return answer(405, 'Deliveries are sent with POST.', { allow: 'POST' });
    const report = (error: unknown) => void observe(onError, error, request);
    const fail = (error: unknown, text: string): Response => {
      report(error);
      return answer(500, text);
    };
    const refuse = (error: WebhookVerificationError): Response => {
      // A body that is not raw is a mistake in the set-up: the delivery is not at fault.
      if (error.code === 'body_not_raw') return fail(error, error.message);
      void observe(onRejected, error, request);
      return answer(error.status, error.code);
    };
    try {
      const verified = await verify(request);
      if (verified instanceof WebhookVerificationError) return refuse(verified);
      return await handle(verified, request, report);
    } catch (error) {
      return fail(error, 'The delivery could not be handled.');
    }
  };
}

function answer(status: number, text: string | null = null, headers: Record<string, string> = {}): Response {
  return new Response(text, { status, headers });
}

/** Tells an observer, whose own failure must not change the answer. */
async function observe<Subject>(
  observer: ((subject: Subject, request: Request) => unknown) | undefined,
  subject: Subject,
  request: Request,
): Promise<void> {
  try {
    await observer?.(subject, request);
  } catch (failure) {
    console.error(failure);
  }
}
