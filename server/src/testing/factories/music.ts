/** The tags of a test track. */
export interface TestTags {
  title?: string
  artist?: string
  album?: string
  track?: string
  cover?: Buffer
}

const FRAMES = { title: 'TIT2', artist: 'TPE1', album: 'TALB', track: 'TRCK' } as const
const COMMENTS = { title: 'TITLE', artist: 'ARTIST', album: 'ALBUM', track: 'TRACKNUMBER' } as const

/** Creates an MP3 of silence with an ID3v2.3 tag. */
export function makeMp3(tags: TestTags = {}, seconds = 2): Buffer<ArrayBuffer> {
  const texts = (Object.keys(FRAMES) as (keyof typeof FRAMES)[]).flatMap((name) =>
    tags[name] === undefined ? [] : [id3Frame(FRAMES[name], Buffer.from(`\x01\xff\xfe`, 'latin1'), utf16(tags[name]))],
  )
  // Text in Latin-1, the media type, picture type 3 (front cover), no description.
  const cover = tags.cover ? [id3Frame('APIC', Buffer.from('\0image/png\0\x03\0', 'latin1'), tags.cover)] : []
  const content = Buffer.concat([...texts, ...cover])
  const head = Buffer.from('ID3\x03\0\0\0\0\0\0', 'latin1')
  for (const index of [0, 1, 2, 3]) head[9 - index] = (content.length >> (7 * index)) & 0x7f
  // MPEG 1, layer 3, 128 kbit/s, 44.1 kHz: 1152 samples in 417 bytes.
  const frame = Buffer.alloc(417)
  frame.writeUInt32BE(0xff_fb_90_00)
  const frames = Array.from({ length: Math.round((seconds * 44_100) / 1152) }, () => frame)
  return Buffer.concat([head, content, ...frames])
}

/** Creates a FLAC that has only its metadata and no audio frames. */
export function makeFlac(tags: TestTags = {}, seconds = 2): Buffer<ArrayBuffer> {
  const info = Buffer.alloc(34)
  info.writeUInt16BE(4096, 0)
  info.writeUInt16BE(4096, 2)
  // 20 bits of sample rate, 3 of channels, 5 of sample size, 36 of samples.
  info.writeBigUInt64BE((44_100n << 44n) | (1n << 41n) | (15n << 36n) | BigInt(seconds * 44_100), 10)
  const comments = (Object.keys(COMMENTS) as (keyof typeof COMMENTS)[]).flatMap((name) =>
    tags[name] === undefined ? [] : [sized(Buffer.from(`${COMMENTS[name]}=${tags[name]}`), 'LE')],
  )
  const vorbis = Buffer.concat([sized(Buffer.from('test'), 'LE'), number(comments.length, 'LE'), ...comments])
  const blocks = [flacBlock(0, info), flacBlock(4, vorbis)]
  if (tags.cover) {
    const metadata = [
      number(3),
      sized(Buffer.from('image/png')),
      sized(Buffer.alloc(0)),
      Buffer.alloc(16),
      sized(tags.cover),
    ]
    blocks.push(flacBlock(6, Buffer.concat(metadata)))
  }
  const last = blocks.at(-1) as Buffer
  last.writeUInt8((last[0] as number) | 0x80, 0)
  return Buffer.concat([Buffer.from('fLaC'), ...blocks])
}

function id3Frame(name: string, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(name), number(content.length), Buffer.alloc(2), content])
}

function utf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le')
}

function flacBlock(type: number, content: Buffer): Buffer {
  const head = number(content.length)
  head[0] = type
  return Buffer.concat([head, content])
}

function number(value: number, order: 'LE' | 'BE' = 'BE'): Buffer {
  const bytes = Buffer.alloc(4)
  if (order === 'LE') bytes.writeUInt32LE(value)
  else bytes.writeUInt32BE(value)
  return bytes
}

function sized(content: Buffer, order: 'LE' | 'BE' = 'BE'): Buffer {
  return Buffer.concat([number(content.length, order), content])
}
