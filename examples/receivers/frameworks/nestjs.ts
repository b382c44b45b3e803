/**
 * A receiver in a NestJS 12 application on Express.
 *
 *   npm ci && npm run build && npm run install:recipes
 *   EXAM_SERVICE_WEBHOOK_SECRET=… PORT=3000 npm --prefix examples/receivers/frameworks run nestjs
 *
 * Nest parses JSON before any controller runs; `rawBody: true` keeps the bytes that were signed, and the receiver takes those.
 * The parser takes 1 MiB, as the receiver does, instead of its own 100 kB; what it rejects never reaches the receiver, so that
 * is logged here. Node strips types but runs no decorators, so this file is compiled first, as `nest build` does.
 */
import 'reflect-metadata';
import { Body, Controller, Injectable, Module, Post, type RawBodyRequest, Req, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import {
  createWebhookHandler,
  type ExamResultCompletedEvent,
  toNodeListener,
} from 'exam-service-sdk/webhooks';
import type { NextFunction, Request, Response } from 'express';
import { keepInvalid } from '../keep-invalid.ts';

const { EXAM_SERVICE_WEBHOOK_SECRET: secret = '', HOST = '127.0.0.1', PORT = '3000' } = process.env;
/** Time limit of a handler, in milliseconds. */
const timeout = 10_000;

@Injectable()
class ResultsService {
  keep({ data }: ExamResultCompletedEvent): void {
    console.log(`${data.participant.name} finished ${data.exam.name}: ${data.score}`);
  }
}

@Controller('webhooks')
class WebhooksController {
  readonly #receive: ReturnType<typeof toNodeListener>;

  constructor(results: ResultsService) {
    const receive = createWebhookHandler({
      secret,
      timeout,
      on: { 'exam_result.completed': (event) => results.keep(event) },
      // Saves a payload that is not as documented: once this returns, the service does not send it again.
      onInvalid: keepInvalid,
      onRejected: ({ reason, message }) => console.warn(`Rejected: ${reason}. ${message}`),
      onError: (error) => console.error('Not handled, so it will be delivered again:', error),
    });
    this.#receive = toNodeListener(receive);
  }

  // With `@Res()` Nest leaves the response to the receiver.
  @Post()
  receive(@Req() request: RawBodyRequest<Request>, @Res() response: Response): Promise<void> {
    return this.#receive(request, response);
  }
}

@Controller('exams')
class ExamsController {
  @Post()
  order(@Body() { name }: { name: string }) {
    return { ordered: name };
  }
}

@Module({ controllers: [WebhooksController, ExamsController], providers: [ResultsService] })
class AppModule {}

const app = await NestFactory.create<NestExpressApplication>(AppModule, {
  rawBody: true,
  logger: ['warn', 'error'],
});
app.useBodyParser('json', { limit: '1mb' });
// Express calls a function of four parameters for what failed before it, here in the parser.
app.use((error: Error, { path }: Request, _response: Response, next: NextFunction) => {
  console.warn(`Rejected before the receiver: ${path}: ${error.message}`);
  next(error);
});
process.once('SIGTERM', () => {
  app.close();
  // A connection that sends nothing, or half a request, would hold the process.
  setTimeout(() => app.getHttpServer().closeAllConnections(), timeout + 1_000).unref();
});
await app.listen(Number(PORT), HOST);
console.log(`Listening on ${await app.getUrl()}/webhooks`);
