import { createHash } from 'node:crypto'
import { WORKER_POLICY } from '../../../rules/offline.ts'

/** What every page's policy says besides the scripts and styles: Astro's `security.csp.directives`. */
export const DIRECTIVES = [
  "default-src 'none'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "require-trusted-types-for 'script'",
  // Only for the service worker's address: `islands/offline/offline.ts`.
  `trusted-types ${WORKER_POLICY}`,
] as const

/**
 * The policy of a page, from its HTML and Astro's policy, which allows by hash what the build can
 * inline into any page, some KB of hashes. A page keeps those that it needs; its HTML adds none, so
 * that no text written by users can.
 */
export function policyOf(html: Buffer, astros: string = DIRECTIVES.join('; ')): string {
  const used = [...inlineHashes(html, 'script'), ...inlineHashes(html, 'style')]
  const directives = astros.split(';').flatMap((text) => {
    const directive = text.trim()
    // Astro writes the hashes last.
    const [sources = ''] = directive.split(" 'sha256-", 1)
    if (sources === directive) return directive || []
    return [sources.trim(), ...used.filter((hash) => directive.includes(hash))].join(' ')
  })
  const isFramed = directives.some((directive) => directive.startsWith('frame-ancestors '))
  return [...directives, ...(isFramed ? [] : ["frame-ancestors 'none'"])].join('; ')
}

/** The policy of a prerendered page, all of whose HTML comes from the build. */
export function policyOfBuilt(html: Buffer): string {
  const sources = (['script', 'style'] as const).map((name) =>
    [`${name}-src 'self'`, ...inlineHashes(html, name)].join(' '),
  )
  return policyOf(html, [...DIRECTIVES, ...sources].join('; '))
}

/** The hashes of the contents of a page's elements of a name, as a policy spells them. */
function inlineHashes(bytes: Buffer, name: 'script' | 'style'): Set<string> {
  // A character for each byte takes less time and memory than decoding a page.
  const html = bytes.toString('latin1')
  const hashes = new Set<string>()
  for (let at = html.indexOf(`<${name}`); at >= 0; at = html.indexOf(`<${name}`, at)) {
    const from = html.indexOf('>', at) + 1
    const to = html.indexOf(`</${name}>`, from)
    if (from === 0 || to < 0) break
    if (to > from) {
      const digest = createHash('sha256').update(html.slice(from, to), 'latin1').digest('base64')
      hashes.add(`'sha256-${digest}'`)
    }
    at = to
  }
  return hashes
}

export const PAGE_SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}
