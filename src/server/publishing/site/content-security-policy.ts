import { createHash } from 'node:crypto'
import { WORKER_POLICY } from '../../../rules/offline.ts'

/** Whether a page may be framed, and what it may frame. */
export interface Framing {
  /** The only other origin that it may frame. */
  origin?: string | undefined
  /** Whether the shop's own pages may frame it. */
  isFramed?: boolean
}

/** Makes the policy of a page from the bytes of its HTML. */
export type PolicyOf = (body: Buffer, framing?: Framing) => string

const FIXED = [
  "default-src 'none'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "require-trusted-types-for 'script'",
  // Only for the service worker's address: `islands/offline/register.ts`.
  `trusted-types ${WORKER_POLICY}`,
].join('; ')

/**
 * A policy allows, by hash, the inline scripts and style sheets that the build put into a page. The
 * hashes come from the build alone: a page's HTML only decides which of them it needs, so no text
 * written by users can add one.
 */
export function contentSecurityPolicy(scripts: string[], styles: string[]): PolicyOf {
  const knownScripts = withHashes(scripts)
  const knownStyles = withHashes(styles)
  return (body, { origin, isFramed = false } = {}) => {
    const html = byteText(body)
    const scriptHashes = usedHashes(knownScripts, contentsOf(html, 'script'))
    const styleHashes = usedHashes(knownStyles, contentsOf(html, 'style'))
    const ancestors = `frame-ancestors ${isFramed ? "'self'" : "'none'"}`
    const frames = `${ancestors}; frame-src 'self'${origin ? ` ${origin}` : ''}`
    return `${FIXED}; ${frames}; script-src 'self'${scriptHashes}; style-src 'self'${styleHashes}`
  }
}

/** A text with a character for each byte: it takes less time and memory than decoding a page. */
const byteText = (bytes: Buffer) => bytes.toString('latin1')

/** The contents of the elements with a name. */
function contentsOf(html: string, name: 'script' | 'style'): Set<string> {
  const contents = new Set<string>()
  for (let at = html.indexOf(`<${name}`); at >= 0; at = html.indexOf(`<${name}`, at)) {
    const from = html.indexOf('>', at) + 1
    const to = html.indexOf(`</${name}>`, from)
    if (from === 0 || to < 0) break
    contents.add(html.slice(from, to))
    at = to
  }
  return contents
}

/** The hashes in the order of the build, whatever the order in the page. */
function usedHashes(known: ReadonlyMap<string, string>, contents: ReadonlySet<string>): string {
  return [...known].flatMap(([text, hash]) => (contents.has(text) ? ` ${hash}` : [])).join('')
}

function withHashes(texts: string[]): Map<string, string> {
  const known = texts.filter((text) => text !== '')
  return new Map(known.map((text) => [byteText(Buffer.from(text)), `'sha256-${sha256(text)}'`]))
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64')

/** Headers of every page besides its policy. */
export const PAGE_SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}
