import { setMaintenance } from '@alcove/contract/admin-site'
import { switchMaintenance } from '../modules/admin/index.ts'
import { commandLine } from '../modules/audit/index.ts'
import { readMaintenance } from '../modules/site/index.ts'
import { type Command, CommandError } from './command.ts'

export const maintenanceOn: Command = {
  name: 'maintenance on',
  parameters: ['[MESSAGE]'],
  summary: 'Let only administrators use the server, and tell everybody else the message',
  async run({ services, print }, message = '') {
    const given = setMaintenance.input.safeParse({ on: true, message })
    if (!given.success) throw new CommandError(given.error.issues[0]?.message ?? 'The message can’t be used.')
    await switchMaintenance(services, commandLine(), { on: true, message: given.data.message ?? '' })
    print(`Maintenance is on. Everybody but administrators reads: ${await readMaintenance(services)}`)
  },
}

export const maintenanceOff: Command = {
  name: 'maintenance off',
  parameters: [],
  summary: 'Let everybody use the server again',
  async run({ services, print }) {
    await switchMaintenance(services, commandLine(), { on: false, message: '' })
    print('Maintenance is off. Everybody can use the server.')
  },
}
