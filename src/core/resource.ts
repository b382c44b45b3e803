import type { Transport } from './transport.ts';

/** Base of the endpoint groups of a client. */
export abstract class Resource {
  /** @internal */
  protected readonly transport: Transport;

  /** @internal Made by the client. */
  constructor(transport: Transport) {
    this.transport = transport;
    // Keeps what a client prints to what a reader looks for.
    Object.defineProperty(this, 'transport', { enumerable: false });
  }
}
