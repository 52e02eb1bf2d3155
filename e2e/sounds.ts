/** Creates a WAV with a quiet tone that a browser can play. */
export function tone(seconds: number, hertz = 440): Uint8Array<ArrayBuffer> {
  const rate = 8000
  const samples = Math.round(seconds * rate)
  const file = Buffer.alloc(44 + samples * 2)
  file.write('RIFF', 0)
  file.writeUInt32LE(36 + samples * 2, 4)
  file.write('WAVEfmt ', 8)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20) // PCM
  file.writeUInt16LE(1, 22) // one channel
  file.writeUInt32LE(rate, 24)
  file.writeUInt32LE(rate * 2, 28)
  file.writeUInt16LE(2, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36)
  file.writeUInt32LE(samples * 2, 40)
  for (let index = 0; index < samples; index++) {
    file.writeInt16LE(Math.round(1200 * Math.sin((2 * Math.PI * hertz * index) / rate)), 44 + index * 2)
  }
  return new Uint8Array(file)
}
