import { createHmac } from 'node:crypto'

const STEP_MS = 30_000

/**
 * The code that an authenticator shows at a moment (RFC 6238), implemented independently of the
 * server.
 */
export function authenticatorCode(secret: string, at: number): string {
  const bits = [...secret.replaceAll(' ', '')]
    .map((letter) =>
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
    )
    .join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeUInt32BE(Math.floor(at / STEP_MS), 4)
  const digest = createHmac('sha1', key).update(counter).digest()
  const number = digest.readUInt32BE((digest[19] ?? 0) & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}
