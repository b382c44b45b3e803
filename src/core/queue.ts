// Calls that wait for a slot, in the order in which they were made.

/** One place in a queue. */
export interface Queued {
  /** Rises with every call: a call that waits again goes back to where it was. */
  readonly place: number;
}

interface Node<T> {
  readonly value: T;
  before: Node<T> | undefined;
  after: Node<T> | undefined;
}

/** A linked list: leaving it costs the same wherever a call stands in it. */
export class Queue<T extends Queued> {
  readonly #nodes = new Map<T, Node<T>>();
  #head: Node<T> | undefined;
  #tail: Node<T> | undefined;

  get size(): number {
    return this.#nodes.size;
  }

  get first(): T | undefined {
    return this.#head?.value;
  }

  /** Calls are made in the order of their places, so almost all go to the end, and those that return near the front. */
  insert(value: T): void {
    let after = (this.#tail?.value.place ?? 0) < value.place ? undefined : this.#head;
    while (after !== undefined && after.value.place < value.place) after = after.after;
    const node: Node<T> = { value, before: after === undefined ? this.#tail : after.before, after };
    this.#nodes.set(value, node);
    this.#link(node.before, node);
    this.#link(node, after);
  }

  delete(value: T): void {
    const node = this.#nodes.get(value);
    if (node === undefined) return;
    this.#nodes.delete(value);
    this.#link(node.before, node.after);
  }

  *[Symbol.iterator](): Generator<T, void> {
    for (let node = this.#head; node !== undefined; node = node.after) yield node.value;
  }

  #link(before: Node<T> | undefined, after: Node<T> | undefined): void {
    if (before === undefined) this.#head = after;
    else before.after = after;
    if (after === undefined) this.#tail = before;
    else after.before = before;
  }
}
