// Who may import whom. `tools/import-law.mjs` (a step of `npm test`) holds the code to it; docs/architecture.md explains it.

const tests = '\\.(test|suite)\\.tsx?$|/testing/'

/** The modules of the server from the ground up: each may import those before it, through their `index.ts`. */
export const serverModules = [
  'site',
  'audit',
  'notices',
  'storage',
  'search',
  'items',
  'activity',
  'events',
  'versions',
  'media',
  'previews',
  'billing',
  'accounts',
  'uploads',
  'files',
  'trash',
  'favorites',
  'sharing',
  'members',
  'vault',
  'dav',
  'nextcloud',
  'admin',
]

/** Each layer may import itself and the layers before it. */
const serverLayers = [
  ['base', '^server/src/(errors|config|oidc-settings)\\.ts$'],
  ['platform', '^server/src/(platform/|context\\.ts$)'],
  ['settings', '^server/src/settings/'],
  ...serverModules.map((name) => [name, `^server/src/modules/${name}/`]),
  ['services', '^server/src/services\\.ts$'],
  ['app', '^server/src/(app|scheduled-jobs)\\.ts$'],
  ['commands', '^server/src/commands/'],
  ['top', '^server/src/(main|cli|memory-flags|small-heap|start-failure)\\.ts$'],
]
const webLayers = [
  ['lib', '^web/src/lib/'],
  ['api', '^web/src/api/'],
  ['ui', '^web/src/ui/'],
  ['items', '^web/src/items/'],
  ['player', '^web/src/player/'],
  ['preview', '^web/src/preview/'],
  ['uploader', '^web/src/uploader/'],
  ['features', '^web/src/features/'],
  ['pages', '^web/src/pages/'],
  ['app', '^web/src/app/'],
  ['top', '^web/src/(first-look/|(main|prerender)\\.tsx$)'],
]

const oneWay = (side, layers) =>
  layers.slice(0, -1).map(([layer, path], index) => ({
    name: `${side}-${layer}-imports-downwards`,
    severity: 'error',
    comment: `${side}: ${layers.map(([name]) => name).join(' <- ')}. What two of them need moves down.`,
    // Tests of a module or of the platform may look at what a later one makes of it.
    from: /^\^server\/src\/(modules\/|\(platform)/.test(path) ? { path, pathNot: tests } : { path },
    to: { path: layers.slice(index + 1).map(([, above]) => above) },
  }))

/** A module outside every layer would be outside the law. */
const everyModuleHasAPlace = (side, layers) => ({
  name: `${side}-module-has-a-place`,
  severity: 'error',
  comment: 'A new folder or top-level module needs a line in .dependency-cruiser.mjs that says where it stands.',
  from: { path: `^${side}/src/`, pathNot: [...layers.map(([, path]) => path), tests] },
  to: {},
})

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

/** Which folder of `platform/` a library of the outside world may be called from. */
const doors = [
  ['blobs', '@aws-sdk/'],
  ['http', '(ioredis|rate-limiter-flexible)/'],
  ['metrics', 'prom-client/'],
  ['mail', 'nodemailer/'],
  ['oidc', 'openid-client/'],
]
const oneDoor = ([door, library]) =>
  forbid(
    `one-door-to-${door}`,
    'The outside world has one door each; elsewhere a library may be named as a type at most.',
    { path: '^server/src/', pathNot: [`^server/src/platform/${door}/`, tests] },
    { path: `node_modules/${library}`, dependencyTypesNot: ['type-only'] },
  )

const adapters = [
  ['blobs', '(disk|s3)-blob-store'],
  ['mail', '(smtp-mailer|outbox)'],
  ['payments', '(live|sandbox)-payments'],
]
const chosenInServices = ([door, files]) =>
  forbid(
    `services-choose-the-adapter-for-${door}`,
    'Which adapter stands behind a door is chosen in services.ts alone.',
    { path: '^server/src/', pathNot: ['^server/src/services\\.ts$', `^server/src/platform/${door}/`, tests] },
    { path: `^server/src/platform/${door}/${files}\\.ts$` },
  )

export default {
  forbidden: [
    ...oneWay('server', serverLayers),
    ...oneWay('web', webLayers),
    everyModuleHasAPlace('server', serverLayers),
    everyModuleHasAPlace('web', webLayers),
    forbid(
      'features-stand-apart',
      'A feature never imports another: move what both need down, or put them together above.',
      { path: '^web/src/features/([^/]+)/' },
      { path: '^web/src/features/', pathNot: '^web/src/features/$1/' },
    ),
    forbid(
      'modules-have-a-door',
      'Outside a module only its index.ts can be imported. Tests may look behind it.',
      { path: '^server/src/', pathNot: ['^server/src/modules/', tests] },
      { path: '^server/src/modules/', pathNot: '^server/src/modules/[^/]+/index\\.ts$' },
    ),
    forbid(
      'modules-meet-at-doors',
      'A module imports another one through its index.ts. Tests may look behind it.',
      { path: '^server/src/modules/([^/]+)/', pathNot: tests },
      { path: '^server/src/modules/', pathNot: ['^server/src/modules/$1/', '^server/src/modules/[^/]+/index\\.ts$'] },
    ),
    forbid(
      'doors-are-for-others',
      'Within a module its files import each other directly; going through the door would be a cycle.',
      { path: '^server/src/modules/([^/]+)/' },
      { path: '^server/src/modules/$1/index\\.ts$' },
    ),
    forbid(
      'context-names-types-only',
      'context.ts says what an operation is given; nothing runs when it is imported.',
      { path: '^server/src/context\\.ts$' },
      { dependencyTypesNot: ['type-only'] },
    ),
    ...adapters.map(chosenInServices),
    ...doors.map(oneDoor),
    forbid(
      'decoders-stay-in-their-process',
      'What decodes pictures reads bytes that nobody has checked: it runs in the process of platform/images alone.',
      { path: '^server/src/', pathNot: ['^server/src/platform/images/draw-[a-z]+\\.ts$', tests] },
      { path: 'node_modules/(sharp|heic-decode|pdfjs-dist|@napi-rs/canvas)/' },
    ),
    forbid(
      'decoders-have-one-door',
      'The server sends work to that process; it never draws itself.',
      { path: '^server/src/', pathNot: ['^server/src/platform/images/', tests] },
      { path: '^server/src/platform/images/', pathNot: '/thumbnail-maker\\.ts$' },
    ),
    forbid(
      'tags-are-read-in-their-process',
      'What reads tags reads bytes that nobody has checked: it runs in the processes of platform/media and platform/images.',
      { path: '^server/src/', pathNot: ['^server/src/platform/(media/read-tags|images/draw-picture)\\.ts$', tests] },
      { path: 'node_modules/music-metadata/' },
    ),
    forbid(
      'media-have-few-doors',
      'The server sends work to those processes; it reads no media itself.',
      { path: '^server/src/', pathNot: ['^server/src/platform/(media|images)/', tests] },
      {
        path: '^server/src/platform/media/',
        pathNot: '/(media-reader|segment-(maker|plan)|storyboard-plan|segment-orders)\\.ts$',
      },
    ),
    forbid(
      'services-know-no-module',
      'services.ts builds the doors to the outside; what the product does with them is above it.',
      { path: '^server/src/services\\.ts$' },
      { path: '^server/src/modules/' },
    ),
    forbid(
      'contract-imports-zod-only',
      'The contract travels to both sides.',
      { path: '^contract/src/', pathNot: tests },
      { pathNot: ['^contract/src/', 'node_modules/zod/'] },
    ),
    forbid(
      'stripe-sandbox-stands-alone',
      'It stands in for a service outside: it knows nothing of the product, and the product knows its one door.',
      { path: '^stripe-sandbox/' },
      { path: '^(contract|server|web|e2e|bench|scale|faults|clients|tools)/' },
    ),
    forbid(
      'stripe-sandbox-has-one-door',
      'What lies behind sandbox.ts is reached over HTTP, through the official SDK.',
      { path: '^(contract|server|web|e2e|bench|scale|faults|clients|tools)/' },
      { path: '^stripe-sandbox/', pathNot: '^stripe-sandbox/src/sandbox\\.ts$' },
    ),
    forbid(
      'web-and-server-never-meet',
      'What both need is the contract.',
      { path: '^(web|server)/', pathNot: '^web/src/uploader/testing/' },
      { path: '^(web|server)/', pathNot: '^$1/' },
    ),
    // Tests of the uploader prove its protocol on the real server. No other folder of the web may start one.
    forbid(
      'uploader-tests-start-the-server',
      'Helpers of the uploader tests reach the server through its testing folder.',
      { path: '^web/src/uploader/testing/' },
      { path: '^server/', pathNot: '^server/src/testing/' },
    ),
    forbid(
      'product-is-alone',
      'The product works without what is built around it.',
      { path: '^(contract|server|web)/' },
      { path: '^(e2e|bench|scale|faults|clients|tools)/' },
    ),
    forbid(
      'from-outside-by-testing-only',
      'Browser tests, benchmarks and tests of several servers or of faults meet the server over HTTP, or through its testing folder.',
      { path: '^(e2e|bench|scale|faults|clients)/' },
      { path: '^(server|web)/', pathNot: '^server/src/testing/' },
    ),
    forbid(
      'no-tests-in-the-product',
      'Only tests import tests and what is made for them.',
      { path: '^(contract|stripe-sandbox|server|web)/src/', pathNot: tests },
      { path: tests, pathNot: 'node_modules' },
    ),
    forbid(
      'crypto-stands-alone',
      'The cryptography of the vault can be read and checked without anything else.',
      { path: '^web/src/features/vault/crypto/', pathNot: tests },
      { pathNot: '^web/src/features/vault/crypto/' },
    ),
    forbid(
      'crypto-has-one-door',
      'Outside the folder, crypto/index.ts is all there is.',
      { path: '^web/', pathNot: '^web/src/features/vault/crypto/' },
      { path: '^web/src/features/vault/crypto/', pathNot: '/crypto/index\\.ts$' },
    ),
    forbid(
      'ui-fetches-nothing',
      'Components of ui/ are given what they show.',
      { path: '^web/src/ui/' },
      {
        path: '^web/src/api/api\\.ts$',
      },
    ),
    forbid('no-cycles', 'Neither of the two can be read, tested or moved alone.', {}, { circular: true }),
    forbid('resolves', 'An import that leads nowhere escapes every other rule.', {}, { couldNotResolve: true }),
  ],
  options: {
    // TypeScript 7 has no compiler API for the tool's own parser, which then finds no module and complains of nothing.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'browser', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json', '.css', '.d.ts'],
    },
  },
}
