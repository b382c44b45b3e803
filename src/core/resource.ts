import type { Transport } from './transport.ts';

/** Base class of the endpoint groups of a client. */
export abstract class Resource {
  /** @internal */
  protected readonly transport: Transport;

  /** @internal Made by the client. */
  constructor(transport: Transport) {
    this.transport = transport;
    // Keeps internals out of the printed client.
    Object.defineProperty(this, 'transport', { enumerable: false });
  }
}
