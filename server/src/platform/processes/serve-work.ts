/** The messages of a work process: first that it is ready, then the result for each input. */
export type WorkMessage<Output> = { ready: true } | { output: Output } | { refusal: string }

/** Runs inside a work process: does one task after the other until the parent disconnects. */
export function serveWork<Input, Output>(work: (input: Input) => Promise<Output>): void {
  const response = (message: WorkMessage<Output>) => process.send?.(message)
  process.on('message', (input: Input) => {
    work(input).then(
      (output) => response({ output }),
      (error: unknown) => response({ refusal: error instanceof Error ? error.message : String(error) }),
    )
  })
  process.on('disconnect', () => process.exit())
  response({ ready: true })
}
