import { describe, expect, it } from 'vitest'
import { readDestination, readPath, writeHref } from './dav-path.ts'

const mount = { prefix: '/dav' }

describe('readPath', () => {
  it('decodes names, normalizes them and ignores repeated slashes', () => {
    expect(readPath(mount, '/dav')).toEqual([])
    expect(readPath(mount, '/dav/')).toEqual([])
    expect(readPath(mount, '//dav//a%20b///e%CC%81/?x=/y')).toEqual(['a b', '\u00e9'])
    expect(readPath(mount, '/dav/100%25%23%3F%3B+&=')).toEqual(['100%#?;+&='])
    // As a client that doesn't encode UTF-8 sends it.
    expect(readPath(mount, `/dav/${Buffer.from('ü').toString('latin1')}`)).toEqual(['ü'])
  })

  it('returns undefined outside the mount', () => {
    for (const path of ['/', '/davx/a', '/x/dav', '/%64av/a', '/DAV/a']) expect(readPath(mount, path)).toBeUndefined()
  })

  it('refuses what cannot be a name', () => {
    for (const name of [
      '..',
      '%2E%2e',
      '.',
      '%2e',
      'a%2Fb',
      '%00',
      'a%0a',
      '%20',
      '%C0%AE',
      '%ED%A0%80',
      '%F5%80%80%80',
      '%',
      '%4',
      'a#b',
    ]) {
      expect(() => readPath(mount, `/dav/a/${name}/b`), name).toThrow()
    }
    expect(() => readPath(mount, `/dav${'/a'.repeat(130)}`)).toThrow('nested at most 128 levels')
  })
})

describe('readDestination', () => {
  it('accepts absolute paths and URLs of this server', () => {
    for (const header of ['/dav/a', 'http://host/dav/a', 'https://HOST:443/dav/a', 'http://user@host:80/dav/a']) {
      expect(readDestination([mount], header, ['host'])).toEqual(['a'])
    }
  })

  it('refuses other servers, other paths and anything else', () => {
    for (const header of [
      'http://host.evil/dav/a',
      'http://host@evil/dav/a',
      'http://host:81/dav/a',
      '/x/a',
      'dav/a',
      '',
      '/dav/../a',
      'http:///dav/a',
    ]) {
      expect(() => readDestination([mount], header, ['host']), header).toThrow()
    }
  })
})

describe('writeHref', () => {
  it('encodes names so that reading them gives the same names', () => {
    const path = ['a b', '100%', '#?;&=+', "it's (1)!*", 'é\u{1f600}', '<">', '\\']
    const href = writeHref(mount, path, 'folder')
    expect(href).toMatch(/^\/dav\/[\w/%.~-]*\/$/)
    expect(readPath(mount, href)).toEqual(path)
  })
})
