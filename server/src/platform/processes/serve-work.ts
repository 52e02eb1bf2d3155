/** What a work process answers: first that it is there, then for each input what came of it. */
export type WorkMessage<Output> = { ready: true } | { output: Output } | { refusal: string }

/** The inner side of a `WorkProcess`: does what it is sent, one piece after the other, until nobody is there any more. */
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
