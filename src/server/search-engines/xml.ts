import { escapeHtml } from '../http/html.ts'

/** Text escaped for XML 1.0; characters that it forbids are dropped. */
export function xmlText(text: string): string {
  return escapeHtml(
    text.replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, ''),
  )
}

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
