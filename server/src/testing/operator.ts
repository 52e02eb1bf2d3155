import { pino } from 'pino'
import { runCommand } from '../commands/run-command.ts'
import type { Config } from '../config.ts'
import type { Clock } from '../platform/clock.ts'
import { closeServices, createServices } from '../services.ts'

export interface Typed {
  code: number
  printed: string[]
  complaints: string[]
}

/** What the operator types, as a program of its own beside the server that has the same settings. */
export async function typeCommand(config: Config, clock: Clock, ...given: string[]): Promise<Typed> {
  const printed: string[] = []
  const complaints: string[] = []
  const code = await runCommand(given, {
    print: (line) => printed.push(line),
    complain: (line) => complaints.push(line),
    withOperator: async (work, { prepare, leavesTables }) => {
      await prepare(config)
      const services = await createServices(config, { clock, log: pino({ level: 'silent' }), leavesTables })
      try {
        await work({ services, config })
      } finally {
        await closeServices(services)
      }
    },
  })
  return { code, printed, complaints }
}
