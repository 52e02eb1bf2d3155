import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { type AdminPlan, replacePlans as call, type PlanCatalogue } from '@alcove/contract/admin-plans'
import { readPlans } from '../modules/admin/index.ts'
import { commandLine } from '../modules/audit/index.ts'
import { replacePlans, resetPlans } from '../modules/billing/index.ts'
import { type Command, CommandError } from './command.ts'

export const plansShow: Command = {
  name: 'plans show',
  parameters: [],
  options: { json: { summary: 'print the list for “plans set”' } },
  summary: 'List the plans: number, name, storage, price, accounts that have it',
  async run({ services, options, print }) {
    const catalogue = await readPlans(services)
    if (options.json !== undefined) {
      for (const line of JSON.stringify(editable(catalogue), null, 2).split('\n')) print(line)
      return
    }
    for (const plan of catalogue.plans) print(describePlan(plan))
    for (const plan of catalogue.former) print(`${describePlan(plan)}\tno longer sold`)
    if (!catalogue.arePlansOn) print('Plans are off: nobody sees them. Switch them on with: alcove plans switch on')
  },
}

function describePlan({ planId, planName, tier, price, subscribers, highlight }: AdminPlan): string {
  const accounts = subscribers === 1 ? '1 account' : `${subscribers} accounts`
  return [planId, planName, tier, `$${price.toFixed(2)}`, accounts, ...(highlight ? ['highlighted'] : [])].join('\t')
}

/** Returns the plans as `plans set` and the call take them. */
function editable({ plans, revision }: PlanCatalogue) {
  return {
    plans: plans.map(({ planId, period, name, gigabytes, price, ownDescription, highlight }) => {
      return { planId, period, name, gigabytes, price, description: ownDescription, highlight }
    }),
    revision,
  }
}

export const plansSet: Command = {
  name: 'plans set',
  parameters: ['FILE'],
  summary: 'Replace the plans for sale by those of a JSON file, or of the standard input for -',
  details: [
    'Print the plans, edit them, and put them back:',
    '',
    '  alcove plans show --json > plans.json',
    '  alcove plans set plans.json',
    '',
    'A plan with another name, storage, period or price is a new plan. Accounts keep the plan and the price that they have.',
  ],
  async run({ services, print }, file = '') {
    const wanted = parsePlans(file === '-' ? await text(process.stdin) : await readGiven(file))
    await replacePlans(services, commandLine(), wanted)
    const { plans } = await readPlans(services)
    print(plans.length === 1 ? '1 plan is for sale now.' : `${plans.length} plans are for sale now.`)
  },
}

async function readGiven(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new CommandError(`${file} can’t be read: ${(error as Error).message}`)
  }
}

/** Without a revision, the list replaces whatever is for sale. */
const planFile = call.input.partial({ revision: true })

function parsePlans(given: string) {
  let json: unknown
  try {
    json = JSON.parse(given)
  } catch (error) {
    throw new CommandError(`The plans aren’t JSON: ${(error as Error).message}`)
  }
  const read = planFile.safeParse(Array.isArray(json) ? { plans: json } : json)
  if (read.success) return { plans: read.data.plans, revision: read.data.revision }
  const { path = [], message } = read.error.issues[0] ?? {}
  const number = typeof path[1] === 'number' ? `Plan ${path[1] + 1} of the list: ` : ''
  throw new CommandError(`${number}${message ?? 'The plans can’t be read.'}`)
}

export const plansReset: Command = {
  name: 'plans reset',
  parameters: [],
  summary: 'Sell the plans of the installation again. Accounts keep what they have',
  async run({ services, print }) {
    await resetPlans(services, commandLine())
    print('The plans of the installation are for sale.')
  },
}
