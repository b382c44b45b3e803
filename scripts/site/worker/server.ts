// Takes the place of the emulator's server: it listens in the network of the worker.
import type { EmulatorServer } from '../../../src/testing/emulator/http/server.ts';
import { hangUp, serve } from './network.ts';

export async function startServer(
  listener: (request: Request) => Response | Promise<Response>,
  options: { readonly port: number },
): Promise<EmulatorServer> {
  const port = serve(options.port, listener);
  const close = async () => void hangUp(port);
  return { url: `http://127.0.0.1:${port}/api/v1`, port, close, [Symbol.asyncDispose]: close };
}
