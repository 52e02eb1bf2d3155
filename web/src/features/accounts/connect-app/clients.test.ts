import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { type Client, clients, findClients } from './clients.ts'
import { type Connection, isInsecure, PASSWORD_PLACEHOLDER, partsOf, quote } from './connection.ts'

const known: Connection = {
  address: 'https://cloud.example.com:8443/dav/',
  user: 'mara+apps@example.com',
  password: 'abcd-efgh-jkmn-pqrs-tuvw-xyz2',
}

function textsOf(client: Client, connection: Connection): string[] {
  const steps = [...client.steps(connection), ...(client.notes?.(connection) ?? [])]
  return steps.flatMap(({ text, lines = [] }) => [text, ...lines.map((line) => line.text)])
}

describe.each(clients.map((client) => [client.name, client] as const))('the instructions for %s', (_name, client) => {
  const text = textsOf(client, known).join('\n')

  it('contain the address, the user name and the app password', () => {
    expect(text).toContain('cloud.example.com')
    expect(text).toContain('8443')
    expect(text).toContain('/dav')
    expect(text).toContain(known.user)
    expect(text).toContain(known.password)
  })

  it('have no placeholder left once the app password is known', () => {
    expect(text).not.toContain(PASSWORD_PLACEHOLDER)
    expect(text).not.toMatch(/undefined|\[object|\$\{/)
  })

  it('show the placeholder until then', () => {
    expect(textsOf(client, { ...known, password: PASSWORD_PLACEHOLDER }).join('\n')).toContain(PASSWORD_PLACEHOLDER)
  })

  it('close each name that they emphasize', () => {
    for (const one of textsOf(client, known)) expect(one.split('**').length % 2, one).toBe(1)
  })
})

it('has a different id for each app', () => {
  expect(new Set(clients.map(({ id }) => id)).size).toBe(clients.length)
})

it('finds apps by name, platform and purpose', () => {
  const names = (words: string) => findClients(words).map(({ name }) => name)
  expect(names('')).toHaveLength(clients.length)
  expect(names('  RCLONE')).toContain('rclone')
  expect(names('mac drive')).toEqual(['rclone', 'Finder'])
  expect(names('nautilus')).toEqual(['GNOME Files'])
  expect(names('iphone photos')).toEqual(['PhotoSync'])
  expect(names('telegram')).toEqual([])
})

it('uses the schemes of each file manager, for HTTP too', () => {
  const gnome = clients.find(({ id }) => id === 'gnome-files') as Client
  expect(textsOf(gnome, known)).toEqual(
    expect.arrayContaining(['davs://cloud.example.com:8443/dav/', 'webdavs://cloud.example.com:8443/dav/']),
  )
  expect(textsOf(gnome, { ...known, address: 'http://localhost:5100/dav/' })).toContain('dav://localhost:5100/dav/')
})

it('splits an address into the fields of apps', () => {
  expect(partsOf('https://cloud.example.com/dav/')).toMatchObject({ port: '443', bare: 'cloud.example.com/dav' })
  expect(partsOf('http://nas.local/dav/')).toMatchObject({ port: '80', isSecure: false, hostname: 'nas.local' })
})

it.each([
  ['https://cloud.example.com/dav/', false],
  ['http://cloud.example.com/dav/', true],
  ['http://192.168.1.20:5100/dav/', true],
  ['http://localhost.example.com/dav/', true],
  ['http://localhost:5100/dav/', false],
  ['http://127.0.0.1:5100/dav/', false],
  ['http://[::1]:5100/dav/', false],
])('knows whether a password sent to %s could be read on the way', (address, expected) => {
  expect(isInsecure(address)).toBe(expected)
})

it('quotes words so that a shell reads them unchanged', () => {
  for (const word of ['o\'neil & sons $(id) `id` \\ "x"', 'plain@example.com', 'https://[::1]:5100/dav/', '*', '']) {
    expect(execFileSync('sh', ['-c', `printf %s ${quote(word)}`], { encoding: 'utf8' })).toBe(word)
  }
  expect(quote(known.user)).toBe(known.user)
})
