import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { SECOND_MS } from '../../../rules/durations.ts'

// RFC 6238 with the values that every authenticator assumes: SHA-1, 6 digits, 30 seconds.
const STEP_MS = 30 * SECOND_MS
const DIGITS = 6
const SECRET_BYTES = 20

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function makeTotpSecret(): Uint8Array {
  return randomBytes(SECRET_BYTES)
}

/** The time step of a moment in milliseconds since 1970. */
function timeStep(now: number): number {
  return Math.floor(now / STEP_MS)
}

function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const offset = digest.readUInt8(digest.length - 1) & 15
  const number = digest.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** The time step (the present one or a neighbour) that has this code; null if none has. */
export function matchingStep(secret: Uint8Array, code: string, now: number): number | null {
  const current = timeStep(now)
  const steps = [current - 1, current, current + 1]
  return steps.find((step) => isSame(totpCode(secret, step), code)) ?? null
}

export function isTotpCode(text: string): boolean {
  return text.length === DIGITS && /^\d+$/.test(text)
}

export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return bits.replace(/.{1,5}/g, (five) => BASE32.charAt(Number.parseInt(five.padEnd(5, '0'), 2)))
}

/** The URI from which an authenticator reads a secret. */
export function otpauthUri(secret: Uint8Array, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`
}

function isSame(one: string, other: string): boolean {
  const [typed, known] = [Buffer.from(one), Buffer.from(other)]
  return typed.length === known.length && timingSafeEqual(typed, known)
}
