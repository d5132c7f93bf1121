/** A request body that is held open until the sender releases the rest. */
export class HeldBody {
  readonly stream: ReadableStream<Uint8Array>;
  /** Resolves when the receiver begins to read the body. */
  readonly asked: Promise<void>;
  /** Releases the rest of the body. */
  release!: () => void;

  constructor(content: unknown) {
    const released = new Promise<void>((resolve) => (this.release = resolve));
    let tell = () => {};
    this.asked = new Promise((resolve) => (tell = resolve));
    this.stream = new ReadableStream(
      {
        async pull(controller) {
          tell();
          await released;
          controller.enqueue(new TextEncoder().encode(JSON.stringify(content)));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
  }
}
