import { extensionOf } from './file-types.ts'
import { isMacMetadata } from './names.ts'

/** How a file is shown. `thumbnail` is a picture that browsers can't show, so the server's thumbnail is shown. */
export type PreviewKind = 'image' | 'thumbnail' | 'pdf' | 'audio' | 'video' | 'text'

const extensionsByKind: Record<Exclude<PreviewKind, 'text'>, string> = {
  image: 'jpg jpeg png gif webp avif svg bmp ico',
  thumbnail: 'tif tiff heic heif',
  pdf: 'pdf',
  audio: 'mp3 wav m4a aac ogg opus flac aif aiff wma ape',
  video: 'mp4 m4v webm ogv mov avi mkv flv mpg mpeg 3gp',
}

/** Extensions of text files, with the language for the highlighter after a colon. */
const TEXTS =
  'txt log csv tsv srt vtt ics vcf properties:ini conf:ini cfg:ini ini:ini toml:ini env:bash editorconfig:ini gitignore ' +
  'md:markdown markdown:markdown json:json jsonl:json geojson:json webmanifest:json xml:xml html:xml htm:xml xhtml:xml ' +
  'vue:xml plist:xml css:css scss:scss less:less js:javascript mjs:javascript cjs:javascript jsx:javascript ' +
  'ts:typescript mts:typescript cts:typescript tsx:typescript py:python rb:ruby php:php java:java kt:kotlin kts:kotlin ' +
  'swift:swift go:go rs:rust c:c h:c cpp:cpp cc:cpp cxx:cpp hpp:cpp m:objectivec cs:csharp vb:vbnet lua:lua pl:perl ' +
  'pm:perl r:r sh:bash bash:bash zsh:bash bat ps1 sql:sql yaml:yaml yml:yaml diff:diff patch:diff makefile:makefile ' +
  'mk:makefile dockerfile:bash graphql:graphql gql:graphql tex bib rst adoc'

/** Names of text files without a known extension. */
const languageByName = new Map([
  ['makefile', 'makefile'],
  ['dockerfile', 'bash'],
  ['license', undefined],
  ['readme', undefined],
  ['changelog', undefined],
  ['.gitignore', undefined],
  ['.env', 'bash'],
  ['.editorconfig', 'ini'],
])

const languageByExtension = new Map(
  TEXTS.split(' ').map((text) => {
    const [extension, language] = text.split(':')
    return [extension as string, language]
  }),
)

const kindByExtension = new Map<string, PreviewKind>([
  ...[...languageByExtension.keys()].map((extension) => [extension, 'text'] as const),
  ...(Object.keys(extensionsByKind) as Exclude<PreviewKind, 'text'>[]).flatMap((kind) =>
    extensionsByKind[kind].split(' ').map((extension) => [extension, kind] as const),
  ),
])

/** Returns how a file of this name is shown; undefined if it can't be. */
export function previewKindOf(filename: string): PreviewKind | undefined {
  if (isMacMetadata(filename)) return undefined
  return kindByExtension.get(extensionOf(filename)) ?? (languageByName.has(filename.toLowerCase()) ? 'text' : undefined)
}

/** Returns the language for the highlighter, if the file is code. */
export function languageOf(filename: string): string | undefined {
  return languageByExtension.get(extensionOf(filename)) ?? languageByName.get(filename.toLowerCase())
}

export function isPicture(filename: string): boolean {
  const kind = previewKindOf(filename)
  return kind === 'image' || kind === 'thumbnail'
}
