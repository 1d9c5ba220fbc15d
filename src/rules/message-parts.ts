import { LANGUAGES } from './languages.ts'
import { numberedPattern } from './numbered-pages.ts'

/**
 * A part of a message that was split at the URLs of this site; the joined parts are the message.
 */
type MessagePart =
  | { kind: 'text'; text: string }
  /** A URL of this site: the text as written, and the path that it leads to. */
  | { kind: 'link'; text: string; path: string; documentId: number | null }

export const PAGE_URL = /https?:\/\/[^\s<>"'`\u2066-\u2069]+/giu
/** Longer URLs stay text: browsers take long to read some of them. */
const ADDRESS_MAX_LENGTH = 2000
/** Characters that follow a URL in a sentence and are not part of it. */
const CLOSING = '.,;:!?)]}»…،؛؟'
const DETAILS = new RegExp(`^(?:/(?:${LANGUAGES.join('|')}))?${numberedPattern('document')}/?$`)

/**
 * The parts of a message: URLs of `origin`, such as `https://shop.example`, become links;
 * everything else stays text.
 */
export function messageParts(content: string, origin: string): MessagePart[] {
  const parts: MessagePart[] = []
  let from = 0
  for (const match of content.matchAll(PAGE_URL)) {
    if (match[0].length > ADDRESS_MAX_LENGTH) continue
    const text = withoutClosing(match[0])
    const url = URL.canParse(text) ? new URL(text) : null
    if (url?.origin !== origin || url.username || url.password) continue
    // As a relative URL, such a path would lead to another site.
    if (url.pathname.startsWith('//')) continue
    if (match.index > from) parts.push({ kind: 'text', text: content.slice(from, match.index) })
    const id = DETAILS.exec(url.pathname)?.[1]
    const path = url.pathname + url.search + url.hash
    parts.push({ kind: 'link', text, path, documentId: id ? Number(id) : null })
    from = match.index + text.length
  }
  if (from < content.length) parts.push({ kind: 'text', text: content.slice(from) })
  return parts
}

function withoutClosing(address: string): string {
  let end = address.length
  while (CLOSING.includes(address.charAt(end - 1))) end--
  return address.slice(0, end)
}
