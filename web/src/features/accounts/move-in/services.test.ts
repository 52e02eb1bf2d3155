import { describe, expect, it } from 'vitest'
import { type Connection, PASSWORD_PLACEHOLDER } from '../connect-app/connection.ts'
import { services } from './services.ts'

const known: Connection = {
  address: 'https://cloud.example.com:8443/dav/',
  user: "mara o'neil@example.com",
  password: 'abcde-fghij',
}

const textsOf = (service: (typeof services)[number], connection: Connection) =>
  [...service.steps(connection), ...(service.notes?.(connection) ?? [])].flatMap(({ text, lines = [] }) => [
    text,
    ...lines.map((line) => line.text),
  ])

describe.each(services.map((service) => [service.name, service] as const))('the steps for %s', (_name, service) => {
  it('fill in the address, the user name and the app password', () => {
    const [create] = textsOf(service, known).filter((text) => text.startsWith('rclone config create alcove'))
    expect(create).toBe(
      "rclone config create alcove webdav url=https://cloud.example.com:8443/dav/ vendor=owncloud user='mara o'\\''neil@example.com' pass=abcde-fghij --obscure",
    )
    expect(textsOf(service, { ...known, password: PASSWORD_PLACEHOLDER }).join('\n')).toContain(PASSWORD_PLACEHOLDER)
  })

  it('copy from the remote that they create, into a folder, and check the same', () => {
    const texts = textsOf(service, known)
    const [, remote, folder] =
      texts.map((text) => /^rclone copy (\w+): "alcove:([^"]+)"/.exec(text)).find(Boolean) ?? []
    expect(texts).toContain(`rclone check ${remote}: "alcove:${folder}" --one-way`)
    const isCreated = texts.some((text) => text.startsWith(`rclone config create ${remote} `))
    expect(isCreated || (remote === 'old' && texts.includes('rclone config'))).toBe(true)
  })

  it('close each name that they emphasize', () => {
    for (const one of textsOf(service, known)) expect(one.split('**').length % 2, one).toBe(1)
  })
})

it('has a different id for each service', () => {
  expect(new Set(services.map(({ id }) => id)).size).toBe(services.length)
})
