// Collects the schemas and responses that the operations of an OpenAPI document share.

import type { Operation } from '../../src/core/operation.ts';
import { assignment } from '../../src/schemas/exam-participant.ts';
import * as participant from '../../src/schemas/participant.ts';
import * as webhook from '../../src/schemas/webhook.ts';
import type { StandardSchema } from '../../src/util/standard-schema.ts';
import { annotate, fieldNotes } from './fields.ts';
import { componentRef, type JsonSchema, toJsonSchema } from './json-schema.ts';

/** A response, or a reference to one that operations share. */
export type Response = InlineResponse | { readonly $ref: string };

/** A description, a schema, and the example that the emulator sent. */
export interface InlineResponse {
  readonly description: string;
  readonly content: {
    readonly 'application/json': { readonly schema: JsonSchema; readonly example?: unknown };
  };
  readonly 'x-assumed'?: true;
}

/** Schemas that the document names, so that it says them once. */
const named = new Map<unknown, string>([
  [participant.importBody(), 'ParticipantImport'],
  [participant.importRow(), 'ParticipantImportRow'],
  [participant.updateBody(), 'ParticipantUpdate'],
  [assignment(), 'Assignment'],
  [webhook.createWebhookBody(), 'WebhookCreate'],
  [webhook.updateWebhookBody(), 'WebhookUpdate'],
  [webhook.testWebhookBody(), 'WebhookTest'],
  [webhook.webhookEndpoint(), 'WebhookEndpoint'],
  [webhook.webhookEndpointWithSecret(), 'WebhookEndpointWithSecret'],
  [webhook.webhookDelivery(), 'WebhookDelivery'],
  [webhook.testDelivery(), 'WebhookTestDelivery'],
]);

/** The schemas of a document. A schema becomes a component on first use. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {};
  readonly responses: Record<string, Response> = {};

  /** A reference to the response of this name, which the first use puts there; a response that differs stays as it is. */
  share(name: string, response: Response): Response {
    this.responses[name] ??= response;
    const isSame = JSON.stringify(this.responses[name]) === JSON.stringify(response);
    return isSame ? { $ref: `#/components/responses/${name}` } : response;
  }

  /** A reference if the schema has a name, otherwise the schema itself. */
  use(schema: StandardSchema, name = named.get(schema)): JsonSchema {
    const make = () => toJsonSchema(schema, (inner) => (named.has(inner) ? this.use(inner) : undefined));
    return name === undefined ? make() : this.define(name, make);
  }

  /** Schema of the record that an operation returns, or of one item of its list. */
  record({ response }: Operation): JsonSchema {
    if (!('schema' in response) || response.schema === undefined) return {};
    const extraSchema = 'extraSchema' in response ? response.extraSchema : undefined;
    return this.use(
      response.schema(),
      extraSchema && extraSchema.charAt(0).toUpperCase() + extraSchema.slice(1),
    );
  }

  /** A reference to a schema of this name, which is created on first use. */
  define(name: string, make: () => JsonSchema): JsonSchema {
    if (!(name in this.schemas)) {
      const schema = make();
      // The client sends it by a method of its own.
      if (name === 'WebhookUpdate') Object(schema.properties)['rotate_secret'] = { type: 'boolean' };
      annotate(schema.properties ?? {}, fieldNotes[name], name);
      this.schemas[name] = schema;
    }
    return { $ref: componentRef(name) };
  }
}
