#!/usr/bin/env node
import './small-heap.ts'

import { pino } from 'pino'
import { runCommand } from './commands/commands.ts'
import { openOutput } from './commands/terminal.ts'
import { closeServices, createServices } from './services.ts'
import { readSettings, toConfig } from './settings/settings.ts'

// The operator's command line uses the server's settings and database, and works while the server runs.
process.umask(0o077)
// As with `| head`: nobody reads the rest.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})
const output = openOutput()
const settings = () => readSettings(process.env, process.cwd())
process.exitCode = await runCommand(process.argv.slice(2), {
  ...output,
  settings,
  withOperator: async (work, { prepare, leavesTables }) => {
    const found = settings()
    for (const warning of found.warnings) output.printError(warning)
    const config = toConfig(found)
    await prepare(config)
    const services = await createServices(config, { log: pino({ level: 'silent' }), leavesTables })
    try {
      await work({ services, config, settingsWith: (changes) => toConfig(found, changes) })
    } finally {
      await closeServices(services)
    }
  },
})
