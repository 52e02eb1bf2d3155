import { createInvitation } from '@alcove/contract/invitations'
import { isDomain, type SignUpMode, signUpModes } from '@alcove/contract/sign-up-modes'
import type { Services } from '../context.ts'
import { addInvitation, invitationUrl } from '../modules/accounts/index.ts'
import { readSignUpSettings, switchPlans, writeSignUpSettings } from '../modules/admin/index.ts'
import { commandLine } from '../modules/audit/index.ts'
import { plansSetting, readSetting } from '../modules/site/index.ts'
import { type Command, CommandError } from './command.ts'

export const userInvite: Command = {
  name: 'user invite',
  parameters: ['EMAIL'],
  summary: 'Invite somebody by mail, and print the link with which they create the account',
  async run({ services, print }, email = '') {
    const url = await invite(services, email, true)
    print(`${email} is invited. A running server sends the mail. The link works once, within 14 days:`)
    print(url)
  },
}

export const userCreate: Command = {
  name: 'user create',
  parameters: ['EMAIL'],
  summary: 'Print the link with which somebody creates an account, without a mail',
  async run({ services, print }, email = '') {
    print(await invite(services, email, false))
  },
}

async function invite(services: Services, address: string, isMailed: boolean): Promise<string> {
  const read = createInvitation.input.shape.email.safeParse(address)
  if (!read.success) throw new CommandError(`${address} isn’t an email address.`)
  const { id } = await addInvitation(services, commandLine(), { email: read.data, role: 'user' }, isMailed)
  return invitationUrl(services, id)
}

export const signUpShow: Command = {
  name: 'sign-up show',
  parameters: [],
  summary: 'Show who can register, and what new accounts get',
  async run({ services, print }) {
    const { mode, domains, allowsSharedFolders, requireTwoFactor, defaultPlanId, defaultQuota } =
      await readSignUpSettings(services)
    const { enabled } = await readSetting(services, plansSetting)
    print(`Registration: ${mode === 'domain' ? `domain ${domains.join(', ')}` : mode}`)
    print(`People invited to a shared folder can register: ${yesOrNo(allowsSharedFolders)}`)
    print(`Two-factor sign-in is required: ${yesOrNo(requireTwoFactor)}`)
    print(`Plans: ${enabled ? 'on' : 'off'}; plan of new accounts: ${defaultPlanId}`)
    print(`Quota without a plan: ${defaultQuota === null ? 'default' : `${defaultQuota} bytes`}`)
  },
}

function yesOrNo(is: boolean): string {
  return is ? 'yes' : 'no'
}

export const signUpSet: Command = {
  name: 'sign-up set',
  parameters: ['MODE'],
  summary: 'Set who can register: open, invite, closed, or domain:example.com,example.org',
  async run({ services, print }, mode = '') {
    await writeSignUpSettings(services, commandLine(), readMode(mode))
    print(`Registration is set to ${mode}.`)
  },
}

function readMode(text: string): { mode: SignUpMode; domains?: string[] } {
  const [name, list] = text.split(':')
  const mode = signUpModes.find((one) => one === name)
  const domains = list?.toLowerCase().split(',')
  if (!mode || (domains !== undefined && mode !== 'domain')) {
    throw new CommandError(`There is no mode ${text}. The modes are open, invite, closed and domain:example.com.`)
  }
  const wrong = domains?.find((domain) => !isDomain(domain))
  if (wrong !== undefined) throw new CommandError(`"${wrong}" isn’t a domain. A domain looks like example.com.`)
  return domains ? { mode, domains } : { mode }
}

export const signUpTwoFactor: Command = {
  name: 'sign-up two-factor',
  parameters: ['STATE'],
  summary: 'Require two-factor sign-in of every account, or no longer: the state is on or off',
  async run({ services, print }, given = '') {
    const requireTwoFactor = readSwitch(given)
    await writeSignUpSettings(services, commandLine(), { requireTwoFactor })
    print(requireTwoFactor ? 'Two-factor sign-in is required now.' : 'Two-factor sign-in is no longer required.')
  },
}

export const plansSwitch: Command = {
  name: 'plans switch',
  parameters: ['STATE'],
  summary: 'Switch plans and prices on or off. When they are off, every account has everything',
  async run({ services, print }, given = '') {
    const { enabled } = await switchPlans(services, commandLine(), readSwitch(given))
    print(`Plans are ${enabled ? 'on' : 'off'} now.`)
  },
}

function readSwitch(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new CommandError(`"${text}" must be on or off.`)
  return text === 'on'
}
