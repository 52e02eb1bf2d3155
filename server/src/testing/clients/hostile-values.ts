/** Values for parts of hostile requests, most of them wrong. */

export const WRONG_AUTHORIZATIONS = [
  ...['Basic', 'Basic !!!', 'Basic AAAA', 'Bearer x', 'Bearer', 'Digest x', `Basic ${'A'.repeat(8000)}`],
]
export const WRONG_HEADERS: Readonly<Record<string, readonly string[]>> = {
  'content-type': ['application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data', 'x', '/'],
  'if-match': ['*', '"x"', 'W/"x"', 'x', '""', ','],
  'if-none-match': ['*', '"x"', ','],
  overwrite: ['T', 'F', 'x'],
  timeout: ['Infinite', 'Second-1', 'Second-99999999999', 'x'],
  'lock-token': ['<urn:uuid:1>', '<', 'x'],
  'x-oc-mtime': ['1', '-1', 'x', '1e9', '99999999999999', '9'.repeat(400)],
  'oc-checksum': ['SHA1:x', 'MD5:', ':', 'x', 'CRC32:1', `SHA1:${'0'.repeat(40)}`],
  'oc-total-length': ['0', '1', '5', '1000000', '-1', 'x', '9'.repeat(16), '9'.repeat(400)],
  'oc-chunk-offset': ['0', '1', '-1', 'x'],
  range: ['bytes=0-', 'bytes=-', 'x', 'bytes=9-1', `bytes=${'0-,'.repeat(100)}`],
  accept: ['application/json', '*/*', 'x', ''],
  'user-agent': ['x', `Mozilla/5.0 (X) mirall/3.7.3 ${'x'.repeat(1000)}`, ''],
}
export const ENDS = ['', '', '', '/', '?x', '?a=1&a=2&__proto__=1', '#x', '//']
export const GOOD_NAMES = [
  'a.txt',
  'a.txt',
  'b',
  'b',
  'c',
  'd.jpg',
  '%C3%A9',
  'e%CC%81',
  '%F0%9F%98%80',
  "it's%20%3Cb%3E",
]
export const NAMES = [
  ...GOOD_NAMES,
  ...['.', '..', '%2e%2e', '%00', '%2F', '%5C', '\\', '', '%', '%zz'],
  ...['%C0%AF', '%E0%80%AF', '%ED%A0%80', '%F8%88%80%80%80', '%FF', '%E2%80%AE', '%0D%0Ax', '%20', 'a%20', ';', '*'],
  ...['x'.repeat(300), 'constructor', '__proto__', '.file', '.DS_Store', '._a.txt', 'CON', "'--"],
]
export const NUMBERS = [
  '0',
  '1',
  '2',
  '00003',
  '10000',
  '10001',
  '-1',
  '1e9',
  '9'.repeat(16),
  '9'.repeat(30),
  'x',
  '',
  '0x1',
]
export const OCS_PATHS = [
  ...['cloud/capabilities', 'cloud/user', 'cloud/users/x', 'config', 'core/getapppassword', 'apps/none', ''],
  ...['apps/files_sharing/api/v1/shares', 'apps/files_sharing/api/v1/shares', 'apps/files_sharing/api/v1/sharees'],
]
export const OTHER_PATHS = [
  ...['/status.php', '/index.php/204', '/index.php/login/flow', '/index.php/login/v2', '/login/v2', '/login/v2/poll'],
  ...['/index.php/login/v2/poll', '/index.php', '/index.php/', '/remote.php', '/remote.php/', '/remote.php/dav', '/'],
  ...[
    '/remote.php/dav/',
    '/remote.php/dav/principals/users/x/',
    '/remote.php/dav/avatars/x/1',
    '/index.php/avatar/x/64',
  ],
  ...['/ocs', '/ocs/v3.php/x', '/.well-known/webdav', '/index.php/apps/files/', '/remote.php/direct/x'],
]
export const DRIVE_METHODS = [
  ...[
    'PROPFIND',
    'PROPFIND',
    'PROPPATCH',
    'LOCK',
    'UNLOCK',
    'UNLOCK',
    'PUT',
    'PUT',
    'MKCOL',
    'COPY',
    'MOVE',
    'DELETE',
    'GET',
  ],
  ...['HEAD', 'OPTIONS', 'REPORT', 'SEARCH', 'POST', 'PATCH', 'MKCALENDAR', 'ACL', 'PURGE'],
]
