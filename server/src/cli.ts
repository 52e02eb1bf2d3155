#!/usr/bin/env node
import { pino } from 'pino'
import { runCommand } from './commands/commands.ts'
import { openOutput } from './commands/terminal.ts'
import { readConfig } from './config.ts'
import { closeServices, createServices } from './services.ts'

const settingsWith = (changes: Record<string, string>) => readConfig({ ...process.env, ...changes })

// The operator's command line uses the server's settings and database, and works while the server runs.
process.umask(0o077)
const given = process.argv.slice(2)
process.exitCode = await runCommand(given, {
  ...openOutput(),
  withOperator: async (work, { prepare, leavesTables }) => {
    const config = readConfig(process.env)
    await prepare(config)
    const services = await createServices(config, { log: pino({ level: 'silent' }), leavesTables })
    try {
      await work({ services, config, settingsWith })
    } finally {
      await closeServices(services)
    }
  },
})
