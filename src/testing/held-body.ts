/** The body of a request that is under way until its sender lets the rest of it go. */
export class HeldBody {
  readonly stream: ReadableStream<Uint8Array>;
  /** Resolves when the first of it is wanted. */
  readonly asked: Promise<void>;
  /** Lets the body go. */
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
